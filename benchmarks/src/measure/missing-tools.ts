import { spawnSync } from 'node:child_process'

/** Those of the programs that are not installed; by default the ones that every loopback benchmark needs. */
export function missingTools(names: readonly string[] = ['nginx', 'wrk']): string[] {
  return names.filter((name) => spawnSync(name, ['-v']).error !== undefined)
}
