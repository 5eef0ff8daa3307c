import { spawnSync } from 'node:child_process'

/** Debian packages that loopback benchmarks need and that are not installed. */
export function missingTools(): string[] {
  return ['nginx', 'wrk'].filter((name) => spawnSync(name, ['-v']).error !== undefined)
}
