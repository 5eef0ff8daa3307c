/** Writes the process id to a file for process managers. A failure is only logged as a warning. */
import { rmSync, writeFileSync } from 'node:fs'
import type { Log } from '@turnpike/core/ports'

/** Writes the file unless its name is empty. Returns a function that removes it. */
export function writePidFile(file: string, log: Log): () => void {
  if (file === '') return () => undefined
  try {
    writeFileSync(file, `${process.pid}\n`)
  } catch (cause) {
    log.warn('the process id cannot be written', { file, reason: String(cause) })
    return () => undefined
  }
  return () => rmSync(file, { force: true })
}
