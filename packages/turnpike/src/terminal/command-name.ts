/** How the user can call this command again: `turnpike`, `npx turnpike`, or by its file. */
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { packageFile } from '../package-folder.ts'
import type { Io } from './io.ts'

/** Returns the beginning of command lines to copy, for use in `folder`. */
export function commandName({ environment }: Pick<Io, 'environment'>, folder: string): string {
  if (environment.npm_command === 'exec' || isInstalledAt(folder)) return 'npx turnpike'
  const paths = (environment.PATH ?? '').split(delimiter).filter((path) => path !== '')
  // npm adds folders of packages to PATH for its scripts; the shell of the user does not have them.
  if (paths.some((path) => !path.includes('node_modules') && isExecutable(join(path, 'turnpike')))) return 'turnpike'
  const file = packageFile('bin', 'turnpike.js')
  const path = relative(folder, file)
  return `node ${quoted(path.startsWith('../..') ? file : path)}`
}

function isInstalledAt(folder: string): boolean {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', '.bin', 'turnpike'))) return true
  }
  return false
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Quotes a path for a POSIX shell if it needs quotes. */
export function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
