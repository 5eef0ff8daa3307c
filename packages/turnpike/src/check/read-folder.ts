/** Reads the files of a folder for `turnpike check`: the text of each, or the reason why it cannot be read. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface CheckedFile {
  readonly file: string
  readonly text: string | undefined
  readonly problem: string | undefined
}

/** Reads `*.json` directly in the folder, sorted by name, without hidden files. */
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
  const wanted = names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort()
  return { files: wanted.map((name) => readOne(join(folder, name))), problem: undefined }
}

export function readOne(file: string): CheckedFile {
  try {
    return { file, text: readFileSync(file, 'utf8'), problem: undefined }
  } catch (cause) {
    return { file, text: undefined, problem: reasonOf(cause) }
  }
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOENT') return 'does not exist'
  if (code === 'EACCES') return 'may not be read by this user'
  if (code === 'ENOTDIR') return 'is not a folder'
  if (code === 'EISDIR') return 'is a folder, not a file'
  return `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
}
