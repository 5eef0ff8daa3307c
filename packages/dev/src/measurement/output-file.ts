/** Checks a file that a benchmark will write, before it measures for minutes. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Says why the file cannot be written; `undefined` if it can. */
export function findOutputProblem(file: string): string | undefined {
  if (existsSync(file) && statSync(file).isDirectory()) return 'is a folder: name a file in it'
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK)
  } catch (cause) {
    return `cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`
  }
  return undefined
}
