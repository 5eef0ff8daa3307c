/** Writes the files of `turnpike init`. */
import { join, relative } from 'node:path'
import { existingFiles, type FileToWrite, writeFiles } from '../init/write-files.ts'
import { type ExitCode, exitCodes, type Io } from './io.ts'

/** Refuses to overwrite files. Returns the exit code if nothing was written. */
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
