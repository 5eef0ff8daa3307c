/** Facts about the machine and its programs that belong to every figure. */
import { execFileSync } from 'node:child_process'
import { machineFacts as factsOfMachine, type MachineFacts } from '@turnpike/dev/measurement'

export interface Machine extends MachineFacts {
  readonly nginx: string
}

export const machineFacts = (): Machine => ({ ...factsOfMachine(), nginx: nginxVersion() })

function nginxVersion(): string {
  try {
    // nginx prints its version to stderr.
    return execFileSync('sh', ['-c', 'nginx -v 2>&1']).toString().trim().replace('nginx version: ', '')
  } catch {
    return 'not installed'
  }
}
