/** Facts about the machine that belong to every figure. */
import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly kernel: string
  readonly node: string
  readonly nginx: string
}

export function machineFacts(): Machine {
  const all = cpus()
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    nginx: nginxVersion(),
  }
}

function nginxVersion(): string {
  try {
    // nginx prints its version to stderr.
    return execFileSync('sh', ['-c', 'nginx -v 2>&1']).toString().trim().replace('nginx version: ', '')
  } catch {
    return 'not installed'
  }
}
