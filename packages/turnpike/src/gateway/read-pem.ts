/** Reads PEM files that the configuration names. */
import { readFileSync } from 'node:fs'
import { configError } from './config-error.ts'

/** Reads a file that the configuration key `field` names. Throws `ConfigError` if it cannot be read. */
export function readPem(file: string, field: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const problem = `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
    throw configError(field, problem)
  }
}
