/** Notes on custom stages, which exist only in gateways that a program creates. */
import type { Lint } from './lint.ts'

export const stageLint: Lint = ({ stages }, report) => {
  for (const name of Object.keys(stages ?? {})) {
    report('custom-stage', ['stages', name])
  }
}
