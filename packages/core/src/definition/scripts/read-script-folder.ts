/** The script folder of an API: `pre`, `auth`, `post_auth` and `post` (docs/reference/scripts.md#script-sources). */
import type { ScriptEntry, ScriptStage } from '../api-definition.ts'
import type { ScriptFiles } from './script-files.ts'
import { isScriptFile } from './source-reader.ts'

export interface FolderEntry extends ScriptEntry {
  readonly path: string
}

export type ReadFolder = Readonly<Record<Exclude<ScriptStage, 'response'> | 'authCheck', readonly FolderEntry[]>>

export async function readFolder(folder: string, files: Pick<ScriptFiles, 'list'>): Promise<ReadFolder> {
  const read = async (name: string): Promise<FolderEntry[]> => {
    const found = await files.list(`${folder}/${name}`)
    return found.filter(isScriptFile).map((file) => entryOf(file, `${folder}/${name}/${file}`))
  }
  const [pre, authCheck, postKeyAuth, post] = await Promise.all(['pre', 'auth', 'post_auth', 'post'].map(read))
  return { pre: pre ?? [], authCheck: authCheck ?? [], postKeyAuth: postKeyAuth ?? [], post: post ?? [] }
}

/** The name of the script is that of the file up to the first dot. */
function entryOf(file: string, path: string): FolderEntry {
  const name = file.split('.', 1)[0] as string
  return { name, path, requireSession: name.endsWith('_with_session') }
}
