/**
 * Checks whether JSON is an OpenAPI document at all. This happens before all other checks, so a member of a wrong type is
 * reported as a malformed body, not by the schema. Source: docs/reference/openapi-documents.md#document-checks
 * step 1. The schema checks the extension.
 */
import { isJson, type Json, memberOf } from '@turnpike/core'

type IsOfType = (value: unknown) => boolean

const isText: IsOfType = (value) => typeof value === 'string'

const memberTypes: readonly (readonly [path: readonly string[], isOfType: IsOfType])[] = [
  [['openapi'], isText],
  [['info'], isJson],
  [['info', 'title'], isText],
  [['info', 'version'], isText],
  [['info', 'description'], isText],
  [['servers'], Array.isArray],
  [['paths'], isJson],
  [['components'], isJson],
  [['security'], Array.isArray],
  [['tags'], Array.isArray],
  [['externalDocs'], isJson],
]

/** A missing member or `null` is valid for every type. */
export function hasOpenApiShape(document: Json): boolean {
  return memberTypes.every(([path, isOfType]) => {
    const value = memberOf(document, ...path)
    return value === undefined || value === null || isOfType(value)
  })
}
