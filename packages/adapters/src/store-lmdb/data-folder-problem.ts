/** What keeps a data folder from being opened, told with its path and the way out. */
import { BrokenDatabase } from './database-file.ts'
import { FolderInUse } from './folder-lock.ts'

/** Says why a data folder cannot be used, and what to do. */
export class DataFolderProblem extends Error {}

/** Runs what opens something in the folder; throws `DataFolderProblem` where that fails. */
export function explained<T>(folder: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof DataFolderProblem) throw error
    throw new DataFolderProblem(`${reasonOf(folder, error)} (data folder ${folder})`, { cause: error })
  }
}

function reasonOf(folder: string, error: unknown): string {
  if (error instanceof FolderInUse) return error.message
  const { code, message } = error as { code?: unknown; message?: unknown }
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'the data folder may not be written: give this user the right to, or name another in "data_path"'
    case 'EROFS':
      return 'the data folder lies on a disk that cannot be written: name another in "data_path"'
    case 'ENOTDIR':
    case 'EEXIST':
      return 'the path of the data folder leads to a file, not to a folder: name another in "data_path"'
    case 'ENOSPC':
      return 'there is no room left for the data folder: free some, or name another in "data_path"'
  }
  const text = String(message ?? error)
  if (
    error instanceof BrokenDatabase ||
    /MDB_INVALID|not an LMDB|MDB_VERSION_MISMATCH|MDB_CORRUPTED|MDB_PAGE_NOTFOUND/i.test(text)
  ) {
    return `the data folder holds a file that is no database of this kind (${text}): move ${folder}/data.mdb away, or name another folder in "data_path"`
  }
  return `the data folder cannot be opened: ${text}`
}
