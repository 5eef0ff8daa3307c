/** Versions of installed programs. */
import { spawnSync } from 'node:child_process'

/** Runs a program that prints its version, and returns the part in the brackets of `pattern`; `undefined`: not installed. */
export function installedVersion(command: string, argument: string, pattern: RegExp): string | undefined {
  const { error, stdout, stderr } = spawnSync(command, [argument], { encoding: 'utf8' })
  if (error !== undefined) return undefined
  // nginx prints its version to stderr.
  return pattern.exec(`${stdout}\n${stderr}`)?.[1] ?? 'of an unknown version'
}
