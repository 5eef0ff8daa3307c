/** Writes the files of a new gateway. Files that exist are never changed. */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'

interface FileToWrite {
  /** Path in the folder. */
  readonly name: string
  readonly text: string
  /** Only the user may read the file. */
  readonly isSecret: boolean
}

/** Returns why the folder cannot be used; `undefined`: it can. */
export function folderProblem(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found === undefined || found.isDirectory() ? undefined : `${folder} is a file; name a folder`
}

/** Returns the names of the files that exist. */
export function existingFiles(folder: string, files: readonly FileToWrite[]): string[] {
  return files.filter(({ name }) => existsSync(join(folder, name))).map(({ name }) => name)
}

/** Writes all files, or none: if one cannot be written, it removes those that it wrote and throws. */
export function writeFiles(folder: string, files: readonly FileToWrite[], replace = false): void {
  const written: string[] = []
  try {
    for (const { name, text, isSecret } of files) {
      const file = join(folder, name)
      mkdirSync(dirname(file), { recursive: true })
      const isNew = !existsSync(file)
      writeFileSync(file, text, { flag: replace ? 'w' : 'wx', mode: isSecret ? 0o600 : 0o644 })
      if (isNew) written.push(file)
    }
  } catch (cause) {
    for (const file of written) rmSync(file, { force: true })
    throw cause
  }
}

/** Does not overwrite files. Returns the exit code if nothing was written. */
export function writeProject(folder: string, files: readonly FileToWrite[], io: Io): ExitCode | undefined {
  const existing = existingFiles(folder, files)
  if (existing.length > 0) {
    const names = existing.map((name) => relative(io.cwd, join(folder, name))).join(', ')
    io.err(`error: nothing was written, because these files exist: ${names}; name another folder, or remove them`)
    return exitCodes.found
  }
  try {
    writeFiles(folder, files)
    return undefined
  } catch (cause) {
    io.err(`error: the files cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`)
    return exitCodes.found
  }
}
