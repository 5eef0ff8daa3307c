/** Checks the folder of definitions before a port is opened. */
import { readdirSync } from 'node:fs'

export function findFolderProblem(appPath: string): string | undefined {
  try {
    readdirSync(appPath)
    return undefined
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'ENOENT')
      return `the folder of definitions ${appPath} does not exist; make it, or name another with app_path`
    if (code === 'ENOTDIR')
      return `app_path ${appPath} is not a folder; name the folder that holds the definition files`
    if (code === 'EACCES' || code === 'EPERM')
      return `the folder of definitions ${appPath} may not be read by this user`
    return `the folder of definitions ${appPath} cannot be read: ${String(cause)}`
  }
}
