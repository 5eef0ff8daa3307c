/** Text of findings, as `turnpike check` and `turnpike start` print them. */
import { type Finding, type FindingRule, findingRules } from '@turnpike/core/definition'

export type { Finding } from '@turnpike/core/definition'

/** Returns `file:line:column  error  field: reason (suggestion) [id]`. */
export function formatFinding(finding: Finding): string {
  const place = finding.line === undefined ? finding.source : `${finding.source}:${finding.line}:${finding.column ?? 1}`
  const fix = finding.fix === undefined ? '' : ` (${finding.fix})`
  return `${place}  ${finding.severity}  ${toMessage(finding)}${fix} [${finding.id}]`
}

/** Returns `field: reason`. */
export function toMessage({ field, reason }: Pick<Finding, 'field' | 'reason'>): string {
  return field === '' ? reason : `${field}: ${reason}`
}

/** Returns true if one finding is an error. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error')
}

/** Whether a finding is about a field that says nothing, so that it is only counted. */
export function isQuiet({ id }: Finding): boolean {
  const rule: FindingRule = findingRules[id]
  return rule.isQuiet === true
}
