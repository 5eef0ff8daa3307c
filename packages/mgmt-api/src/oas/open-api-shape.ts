/**
 * Whether JSON can be read as an OpenAPI document at all. A document is read before anything of it is checked, so a
 * member of another type is told as a body that cannot be read, not by the schema. Source: docs/reference/openapi-documents.md#document-checks
 * step 1. The extension is not looked at: it is the schema's.
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

/** Members that are missing or `null` have every type. */
export function hasOpenApiShape(document: Json): boolean {
  return memberTypes.every(([path, isOfType]) => {
    const value = memberOf(document, ...path)
    return value === undefined || value === null || isOfType(value)
  })
}
