import { yamlToJson } from './yaml-to-json.ts'

export type OneDocument =
  | { readonly json: string; readonly problem?: undefined }
  | { readonly json?: undefined; readonly problem: string }

/** Returns the JSON text of a YAML file with one document, or why it cannot be read. `file`: for messages. Never throws. */
export function oneDocumentToJson(text: string, file: string): OneDocument {
  const { documents, problem } = yamlToJson(text)
  if (problem !== undefined) return { problem: `line ${problem.line}, column ${problem.column}: ${problem.message}` }
  if (documents.length < 2) return { json: documents[0] ?? '' }
  return { problem: `has ${documents.length} YAML documents; convert them with: turnpike import ${file}` }
}
