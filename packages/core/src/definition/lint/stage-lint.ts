/** Notes on custom stages, which exist only in gateways that a program creates. */
import type { Lint } from './finding.ts'

export const stageLint: Lint = ({ stages }, report) => {
  for (const name of Object.keys(stages ?? {})) {
    report(
      'warning',
      ['stages', name],
      'is a custom stage: only a program that passes it to createGateway({ stages }) loads this definition, "turnpike start" does not',
    )
  }
}
