/** Reads the files of a folder for `turnpike check`: the text of each, or the reason why it cannot be read. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { yamlToJson } from '@turnpike/core/lib/yaml'

export interface CheckedFile {
  readonly file: string
  readonly text: string | undefined
  readonly problem: string | undefined
}

/** Reads the JSON and YAML files directly in the folder, sorted by name, without hidden files. */
export function readFolder(folder: string): {
  readonly files: readonly CheckedFile[]
  readonly problem: string | undefined
} {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (cause) {
    return { files: [], problem: reasonOf(cause) }
  }
  const wanted = names.filter((name) => /\.(json|ya?ml)$/.test(name) && !name.startsWith('.')).sort()
  return { files: wanted.map((name) => readOne(join(folder, name))), problem: undefined }
}

export function readOne(file: string): CheckedFile {
  try {
    const text = readFileSync(file, 'utf8')
    return /\.ya?ml$/.test(file) ? fromYaml(file, text) : { file, text, problem: undefined }
  } catch (cause) {
    return { file, text: undefined, problem: reasonOf(cause) }
  }
}

/** The JSON text has each value on the line of the YAML file, so positions in it are positions in the file. */
function fromYaml(file: string, yaml: string): CheckedFile {
  const { documents, problem } = yamlToJson(yaml)
  if (problem !== undefined) {
    const { line, column, message } = problem
    return { file, text: undefined, problem: `line ${line}, column ${column}: ${message}` }
  }
  if (documents.length < 2) return { file, text: documents[0] ?? '', problem: undefined }
  const reason = `has ${documents.length} YAML documents; convert them with: turnpike import ${file}`
  return { file, text: undefined, problem: reason }
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOENT') return 'does not exist'
  if (code === 'EACCES') return 'may not be read by this user'
  if (code === 'ENOTDIR') return 'is not a folder'
  if (code === 'EISDIR') return 'is a folder, not a file'
  return `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
}

const definitionMember = /"(?:api_id|proxy|x-[a-z][a-z0-9]*-api-gateway)"\s*:/

/** Whether the JSON text of a YAML file is a definition, or a document with the extension of a gateway. */
export function isYamlDefinition(json: string): boolean {
  return definitionMember.test(json)
}

/** The files of a folder of definitions that the gateway reads. */
export function definitionsOf(files: readonly CheckedFile[]): readonly CheckedFile[] {
  return files.filter(({ file, text }) => file.endsWith('.json') || text === undefined || isYamlDefinition(text))
}
