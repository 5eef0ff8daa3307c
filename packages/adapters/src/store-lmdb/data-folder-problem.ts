/** Errors of data folders, with a message that contains the path and a fix. */
import { BrokenDatabase } from './database-file.ts'
import { FolderInUse } from './folder-lock.ts'

/** The data folder cannot be used. The message contains the reason and a fix. */
export class DataFolderProblem extends Error {
  /** Another process, or another store of this process, uses the folder. */
  readonly isInUse: boolean
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.isInUse = cause instanceof FolderInUse
  }
}

/** Runs `act`, which opens files in the folder. Throws `DataFolderProblem` if it fails. */
export function explained<T>(folder: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw explainedError(folder, error)
  }
}

/** The error, which may be one already, as `DataFolderProblem`. */
export function explainedError(folder: string, error: unknown): DataFolderProblem {
  if (error instanceof DataFolderProblem) return error
  return new DataFolderProblem(`${reasonOf(folder, error)} (data folder ${folder})`, error)
}

function reasonOf(folder: string, error: unknown): string {
  if (error instanceof FolderInUse) return error.message
  const { code, message } = error as { code?: unknown; message?: unknown }
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'no permission to write the data folder: grant it to this user, or set another folder in "data_path"'
    case 'EROFS':
      return 'the data folder is on a read-only file system: set another folder in "data_path"'
    case 'ENOTDIR':
    case 'EEXIST':
      return 'the path of the data folder is a file, not a folder: set another folder in "data_path"'
    case 'ENOSPC':
      return 'no space left on the disk of the data folder: free some space, or set another folder in "data_path"'
  }
  const text = String(message ?? error)
  if (
    error instanceof BrokenDatabase ||
    /MDB_INVALID|not an LMDB|MDB_VERSION_MISMATCH|MDB_CORRUPTED|MDB_PAGE_NOTFOUND/i.test(text)
  ) {
    return `the data folder contains a file that is not an LMDB database (${text}): move ${folder}/data.mdb away, or set another folder in "data_path"`
  }
  return `the data folder cannot be opened: ${text}`
}
