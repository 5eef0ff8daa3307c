/** What `turnpike check` or a start has to tell about a file, and how it is written for people. */

/** `note`: known and harmless, but worth knowing when one asks; only `check` shows it. */
export type Severity = 'error' | 'warning' | 'note'

export interface Finding {
  readonly severity: Severity
  /** File, `environment` or `command line`. */
  readonly source: string
  /** Counted from 1; absent where a place in the file has no meaning. */
  readonly line?: number
  readonly column?: number
  /** Field as people write it: `http_server_options.xff_depth`. Empty: the whole. */
  readonly field: string
  readonly reason: string
  /** What to do about it. */
  readonly wayOut?: string
}

/** `file:line:column  error  field: reason (way out)`. */
export function formatFinding(finding: Finding): string {
  const place = finding.line === undefined ? finding.source : `${finding.source}:${finding.line}:${finding.column ?? 1}`
  const field = finding.field === '' ? '' : `${finding.field}: `
  const wayOut = finding.wayOut === undefined ? '' : ` (${finding.wayOut})`
  return `${place}  ${finding.severity}  ${field}${finding.reason}${wayOut}`
}

/** Whether one of them forbids to go on. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error')
}
