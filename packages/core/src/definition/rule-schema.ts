/** The JSON schema of a `validate_json` rule. */
import { decodeBase64 } from '../lib/text/base64.ts'
import { readJson } from '../lib/text/read-json.ts'
import type { ExtendedPaths } from './version-shape.ts'

type Rule = NonNullable<ExtendedPaths['validateJson']>[number]

/** The schema of the rule, which can be base64 text; `undefined`: the text is not JSON. */
export function schemaOfRule({ schema, schemaB64 }: Pick<Rule, 'schema' | 'schemaB64'>): unknown {
  if (schema !== null || schemaB64 === '') return schema
  const bytes = decodeBase64(schemaB64)
  const read = bytes === undefined ? undefined : readJson(bytes)
  return read?.problem === undefined ? read?.value : undefined
}
