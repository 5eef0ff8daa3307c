/** Thrown for an invalid configuration. `findings` lists each problem with its position in the file. */
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
