/** A configuration that cannot be used; `findings` tells each fault with its place. */
import { type Finding, tellFinding } from '../config/finding.ts'

export class ConfigError extends Error {
  readonly findings: readonly Finding[]
  constructor(findings: readonly Finding[]) {
    const errors = findings.filter((finding) => finding.severity === 'error')
    super(['the configuration cannot be used', ...errors.map((finding) => `  ${tellFinding(finding)}`)].join('\n'))
    this.name = 'ConfigError'
    this.findings = findings
  }
}
