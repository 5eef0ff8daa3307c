/** Thrown for an invalid configuration. `findings` lists each problem with its position in the file. */
import { makeNote, placeNote } from '@turnpike/core/definition'
import { type Finding, formatFinding } from '../config/finding.ts'

export class ConfigError extends Error {
  readonly findings: readonly Finding[]
  constructor(findings: readonly Finding[]) {
    const errors = findings.filter((finding) => finding.severity === 'error')
    super(['the configuration cannot be used', ...errors.map((finding) => `  ${formatFinding(finding)}`)].join('\n'))
    this.name = 'ConfigError'
    this.findings = findings
  }
}

/** An error about one key whose file or service cannot be used. `field`: names joined by dots. */
export function configError(field: string, problem: string): ConfigError {
  return new ConfigError([
    placeNote(makeNote('config-value-unusable', field.split('.'), { problem }), 'config', undefined),
  ])
}
