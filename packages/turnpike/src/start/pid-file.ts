/** The process id in a file, for those who look after the process. Nothing depends on it: a failure is a warning. */
import { rmSync, writeFileSync } from 'node:fs'
import type { Log } from '@turnpike/core'

/** Writes the file when one is named; returns how to remove it. */
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
