/** Reads the files of a folder for `turnpike check`: the text of each, or the reason why it cannot be read. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasDefinitionMember } from '@turnpike/core/definition'
import { oneDocumentToJson } from '@turnpike/core/lib/yaml'

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
    if (!/\.ya?ml$/.test(file)) return { file, text, problem: undefined }
    // The JSON text has each value on the line of the YAML file, so positions in it are positions in the file.
    const { json, problem } = oneDocumentToJson(text, file)
    return { file, text: json, problem }
  } catch (cause) {
    return { file, text: undefined, problem: reasonOf(cause) }
  }
}

/** The files of a folder of definitions that the gateway reads. */
export function definitionsOf(files: readonly CheckedFile[]): readonly CheckedFile[] {
  return files.filter(({ file, text }) => file.endsWith('.json') || text === undefined || hasDefinitionMember(text))
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOENT') return 'does not exist'
  if (code === 'EACCES') return 'may not be read by this user'
  if (code === 'ENOTDIR') return 'is not a folder'
  if (code === 'EISDIR') return 'is a folder, not a file'
  return `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
}
