/** Parses the text of an OpenAPI document, JSON or YAML, with the limits that apply to requests. */
import { parseJson } from '../http/parse-json.ts'

export type ParsedText =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string }

/**
 * Returns the value of a text in JSON or YAML, or what is wrong with it, with line and column. YAML and JSON have the same
 * limits, because YAML is converted to JSON. The parser of YAML is loaded with the first text that is not JSON. Never
 * rejects.
 */
export async function parseDocumentText(text: string): Promise<ParsedText> {
  const json = parseJson(text)
  if (json !== undefined) return json
  const { yamlToJson } = await import('@turnpike/core/lib/yaml')
  const { documents, problem } = yamlToJson(text)
  if (problem !== undefined) return { problem: `line ${problem.line}, column ${problem.column}: ${problem.message}` }
  if (documents.length > 1) return { problem: `has ${documents.length} YAML documents; an OpenAPI document is one` }
  return parseJson(documents[0] ?? 'null') ?? { problem: 'is nested too deep' }
}
