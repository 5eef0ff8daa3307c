/** The table of all findings: those of `turnpike check`, of the start, of the management API and of `turnpike import`. */
import { accessRules } from './rules/access-rules.ts'
import { configRules } from './rules/config-rules.ts'
import { documentRules } from './rules/document-rules.ts'
import { fieldRules } from './rules/field-rules.ts'
import { fileRules } from './rules/file-rules.ts'
import { policyRules } from './rules/policy-rules.ts'
import { routingRules } from './rules/routing-rules.ts'
import { scriptRules } from './rules/script-rules.ts'
import { trafficRules } from './rules/traffic-rules.ts'

export const findingRules = {
  ...fieldRules,
  ...routingRules,
  ...accessRules,
  ...trafficRules,
  ...scriptRules,
  ...documentRules,
  ...policyRules,
  ...fileRules,
  ...configRules,
}

/** The stable name of a finding, such as `rate-without-period`. */
export type FindingId = keyof typeof findingRules

export function isFindingId(text: string): text is FindingId {
  return Object.hasOwn(findingRules, text)
}
