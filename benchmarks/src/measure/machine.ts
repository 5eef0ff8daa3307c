/** Facts about the machine and its programs that belong to every figure. */
import { machineFacts as factsOfMachine, type MachineFacts } from '@turnpike/dev/measurement'
import { installedVersion } from './installed-version.ts'

export interface Machine extends MachineFacts {
  readonly nginx: string
}

export const machineFacts = (): Machine => ({
  ...factsOfMachine(),
  nginx: installedVersion('nginx', '-v', /nginx version: (.+)/) ?? 'not installed',
})
