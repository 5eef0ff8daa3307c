/** Parses the text of an OpenAPI document, JSON or YAML, with the limits that apply to requests. */
import { parseJson } from '../http/parse-json.ts'
import type { ParsedText } from './parse-yaml.ts'

/** Longer documents in YAML are rejected: the parser needs 0.5 µs a byte and more. JSON has the limit of all bodies. */
const maxYamlLength = 256 * 1024

/**
 * Returns the value of a text in JSON or YAML, or what is wrong with it, with line and column where they are known. The
 * parser of YAML is loaded with the first text that is not JSON. Never rejects.
 */
export async function parseDocumentText(text: string): Promise<ParsedText> {
  const json = parseJson(text)
  if (json !== undefined) return json
  if (text.length > maxYamlLength) {
    return { problem: `is not JSON, and too long for YAML: ${text.length} characters, at most ${maxYamlLength}` }
  }
  const { parseYaml } = await import('./parse-yaml.ts')
  return parseYaml(text)
}
