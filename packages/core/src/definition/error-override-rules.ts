/**
 * Reads `error_overrides`: which rules each status has, with their expressions and templates compiled. The gateway ignores
 * a rule that cannot be read; `problems` says why (docs/reference/error-responses.md#error-overrides).
 */

import { isToken } from '../http/field-names.ts'
import { isFinalStatus } from '../http/final-status.ts'
import { compileRe2, type Re2 } from '../lib/regex/re2.ts'
import type { JsonPath } from '../lib/shape/shape.ts'
import { parseTemplate, type Template } from '../lib/template/template.ts'
import { fieldValueOf } from '../lib/text/field-values.ts'
import type { ErrorOverridesDocument } from './error-overrides-shape.ts'

export interface OverrideRule {
  /** Without any condition, the rule applies to every error. */
  readonly flag: string
  readonly messagePattern: Re2 | undefined
  /** A member of the upstream's JSON body, and the text that it must have. One without the other counts as neither. */
  readonly bodyField: { readonly path: readonly string[]; readonly value: string } | undefined
  /** 0: the status stays. */
  readonly status: number
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Empty: none. */
  readonly body: string
  /** `body`, if it contains actions. */
  readonly bodyTemplate: Template | undefined
  /** Name of a template file; empty: none. */
  readonly templateName: string
  /** Empty: none. */
  readonly message: string
}

export interface OverrideRules {
  /** By status (`401`) or class (`4xx`). */
  readonly byStatus: ReadonlyMap<string, readonly OverrideRule[]>
  /**
   * Statuses and classes with a rule that replaces bodies and cannot be read. A response of the upstream to which no other
   * rule applies may be one whose body the rule hides.
   */
  readonly hidden: ReadonlySet<string>
  readonly problems: readonly OverrideProblem[]
}

export interface OverrideProblem {
  /** Path within `error_overrides`. */
  readonly path: JsonPath
  readonly message: string
}

type RuleDocument = NonNullable<NonNullable<ErrorOverridesDocument>[string]>[number]

export function readErrorOverrides(document: ErrorOverridesDocument): OverrideRules {
  const byStatus = new Map<string, readonly OverrideRule[]>()
  const hidden = new Set<string>()
  const problems: OverrideProblem[] = []
  for (const [status, rules] of Object.entries(document ?? {})) {
    if (!/^(?:[1-9]\d\d|[45]xx)$/.test(status)) {
      problems.push({ path: [status], message: 'is ignored: not a status such as "401", nor "4xx" or "5xx"' })
      continue
    }
    const read = (rules ?? []).map((rule, at) => {
      const made = readRule(rule)
      if (typeof made !== 'string') return made
      problems.push({ path: [status, at], message: `is ignored: ${made}` })
      if (replacesBody(rule)) hidden.add(status)
      return undefined
    })
    byStatus.set(
      status,
      read.filter((rule) => rule !== undefined),
    )
  }
  return { byStatus, hidden, problems }
}

function replacesBody({ response }: RuleDocument): boolean {
  return response !== null && [response.body, response.template, response.message].some((text) => text !== '')
}

/** The rule, or why it cannot be read. */
function readRule({ match, response }: RuleDocument): OverrideRule | string {
  if (response === null) return '"response" is missing'
  const { statusCode, body, template, message, headers } = response
  if (statusCode !== 0 && !isFinalStatus(statusCode)) return `${statusCode} is not the status of a response`
  const pattern = match === null || match.messagePattern === '' ? undefined : compileRe2(match.messagePattern)
  if (pattern?.problem !== undefined) return `"message_pattern" is not a regular expression: ${pattern.problem}`
  const bodyTemplate = body.includes('{{.') ? parseTemplate(body) : undefined
  if (bodyTemplate?.problem !== undefined) return `"body" is not a template: ${bodyTemplate.problem.message}`
  const badHeader = Object.entries(headers ?? {}).find(([name, value]) => !isHeader(name, value))
  if (badHeader !== undefined) return `${JSON.stringify(badHeader[0])} is not a header that can be sent`
  return {
    flag: match?.flag ?? '',
    messagePattern: pattern,
    bodyField:
      match === null || match.bodyField === '' || match.bodyValue === ''
        ? undefined
        : { path: match.bodyField.split('.'), value: match.bodyValue },
    status: statusCode,
    headers: Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), fieldValueOf(value)]),
    body,
    bodyTemplate,
    templateName: template,
    message,
  }
}

/** RFC 9110 section 5.1 and 5.5. */
function isHeader(name: string, value: string): boolean {
  return isToken(name) && !/[\r\n\0]/.test(value)
}
