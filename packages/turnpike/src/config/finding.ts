/** Findings of `turnpike check` and `turnpike start` about a file, and their text format. */

/** A `note` is harmless; only `turnpike check` prints it. */
export type Severity = 'error' | 'warning' | 'note'

export interface Finding {
  readonly severity: Severity
  /** File, `environment` or `command line`. */
  readonly source: string
  /** Counted from 1; absent if the finding has no position in a file. */
  readonly line?: number
  readonly column?: number
  /** Path of the field, such as `http_server_options.xff_depth`. Empty means the whole file. */
  readonly field: string
  readonly reason: string
  /** A suggestion how to fix the problem. The name is part of the JSON output of `turnpike check`. */
  readonly fix?: string
  /** The field has no effect in this build. */
  readonly ineffective?: true
}

/** Returns `file:line:column  error  field: reason (suggestion)`. */
export function formatFinding(finding: Finding): string {
  const place = finding.line === undefined ? finding.source : `${finding.source}:${finding.line}:${finding.column ?? 1}`
  const fix = finding.fix === undefined ? '' : ` (${finding.fix})`
  return `${place}  ${finding.severity}  ${toMessage(finding)}${fix}`
}

/** Returns `field: reason`. */
export function toMessage({ field, reason }: Pick<Finding, 'field' | 'reason'>): string {
  return field === '' ? reason : `${field}: ${reason}`
}

/** Returns true if one finding is an error. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error')
}

/** A text behind the first JSON value of a file, such as notes of the owner. */
export const textBehindJson: Pick<Finding, 'reason' | 'fix'> = {
  reason: 'the text behind the JSON value is ignored',
  fix: 'remove it, or move it to another file',
}
