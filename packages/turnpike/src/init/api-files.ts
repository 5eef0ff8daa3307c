/** The files of an API that was made from an OpenAPI document. */
import { sidecarNameOf } from '@turnpike/core/definition'
import type { Json } from '@turnpike/core/lib'
import type { ConvertedApi } from '../import/convert-openapi.ts'
import { type SchemaName, schemaReference } from './schema-reference.ts'

/** Returns the definition and its sidecar document for the folder, with the paths of their schemas for editors. */
export function apiFiles({ id, definition, document }: ConvertedApi, folder: string) {
  const file = (name: string, schema: SchemaName, value: Json) => {
    const $schema = schemaReference(schema, folder)
    return { name: `${name}.json`, text: `${JSON.stringify({ $schema, ...value }, null, 2)}\n` }
  }
  return [file(id, 'classic-api', definition), file(sidecarNameOf(id), 'openapi-extension', document)]
}
