/** Reads PEM files that the configuration names. */
import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'

/** Reads a file that the configuration key `field` names. Throws `ConfigError` if it cannot be read. */
export function readPem(file: string, field: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const reason = `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
    throw new ConfigError([{ severity: 'error', source: 'config', field, reason }])
  }
}
