import { spawnSync } from 'node:child_process'

/** Returns the programs that are not installed. Default: those that every loopback benchmark needs. */
export function missingTools(names: readonly string[] = ['nginx', 'wrk']): string[] {
  return names.filter((name) => spawnSync(name, ['-v']).error !== undefined)
}
