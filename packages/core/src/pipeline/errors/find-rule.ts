/**
 * Which rule of `error_overrides` replaces an error or a response of the upstream
 * (docs/reference/error-responses.md#override-selection).
 */
import type { OverrideRule, OverrideRules } from '../../definition/error-override-rules.ts'
import { flagOf, upstreamErrorFlag } from '../../http/error-flags.ts'
import type { Rejection } from '../../http/rejections.ts'
import { readJson } from '../../lib/text/read-json.ts'
import { utf8Text } from '../../lib/text/utf8.ts'

/** Bytes of an upstream's body in which expressions search. */
export const searchedBytes = 4096
/** Longest body that is parsed for the value of a member. */
export const parsedBytes = 1024 * 1024

/** The rules for a status, in the order in which they are tried. */
export type RulesFor = (status: number) => readonly OverrideRule[]

/** Whether a rule for the status hides bodies and cannot be read. `sources`: see `makeRulesFor`. */
export function hidesBody(sources: readonly OverrideRules[], status: number): boolean {
  return sources.some(({ hidden }) => hidden.has(String(status)) || hidden.has(`${String(status)[0]}xx`))
}

/** `sources`: the rules of the API, then those of the gateway. The rules of a status come before those of its class. */
export function makeRulesFor(sources: readonly OverrideRules[]): RulesFor {
  const found = new Map<number, readonly OverrideRule[]>()
  return (status) => {
    let rules = found.get(status)
    if (rules === undefined) {
      const names = [String(status), `${String(status)[0]}xx`]
      rules = sources.flatMap(({ byStatus }) => names.flatMap((name) => byStatus.get(name) ?? []))
      found.set(status, rules)
    }
    return rules
  }
}

export function fitsRejection(rule: OverrideRule, rejection: Rejection): boolean {
  if (rule.flag === '' && rule.messagePattern === undefined) return true
  if (rule.flag !== '' && rule.flag === flagOf(rejection)) return true
  return rule.messagePattern?.test(rejection.message) ?? false
}

/** The bytes of the body that the rules need: 0 if they depend on the status alone. */
export function bytesToRead(rules: readonly OverrideRule[]): number {
  const reading = rules.filter((rule) => rule.flag === '')
  if (reading.some((rule) => rule.bodyField !== undefined)) return parsedBytes
  return reading.some((rule) => rule.messagePattern !== undefined) ? searchedBytes : 0
}

/** A response of the upstream. `body`: its first bytes; `isWhole`: these are all. */
export interface UpstreamFacts {
  readonly status: number
  readonly body: Uint8Array
  readonly isWhole: boolean
}

/** The first of the rules that applies to a response of the upstream. */
export function ruleForResponse(rules: readonly OverrideRule[], facts: UpstreamFacts): OverrideRule | undefined {
  const { status, body, isWhole } = facts
  let text: string | undefined
  let json: { readonly value: unknown } | undefined
  const textOf = () => {
    text ??= utf8Text(body.subarray(0, searchedBytes))
    return text
  }
  const jsonOf = () => {
    json ??= { value: isWhole && body.length <= parsedBytes ? parsed(body) : undefined }
    return json.value
  }
  return rules.find(({ flag, messagePattern, bodyField }) => {
    if (flag !== '') return flag === upstreamErrorFlag && status >= 500 && status <= 599
    if (bodyField === undefined && messagePattern === undefined) return true
    if (bodyField !== undefined && valueText(jsonOf(), bodyField.path) === bodyField.value) return true
    return messagePattern?.test(textOf()) ?? false
  })
}

function parsed(body: Uint8Array): unknown {
  const read = readJson(body)
  return read.problem === undefined ? read.value : undefined
}

/** The text, number or boolean at a path such as `list.1.id`, as text; `undefined`: there is none. */
function valueText(root: unknown, path: readonly string[]): string | undefined {
  let value = root
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}
