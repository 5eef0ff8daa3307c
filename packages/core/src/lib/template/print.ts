/** Formats values as text, like Go's `%v`. Numbers of a body keep their text, which Go does not. */
import { changedByJson, JsonNumber, type NumberRule, plainNumbers } from '../text/json-number.ts'
import type { Budget } from './budget.ts'
import { Struct } from './struct.ts'
import { isMapping, isNil, sortedEntries } from './value.ts'

/** The output of an action: the text, or `<no value>` if there is no value. */
export function printValue(value: unknown, budget: Budget): string {
  return isNil(value) ? '<no value>' : formatValue(value, budget)
}

/** `%v`: lists in brackets, maps sorted by name, nil as `<nil>`. */
export function formatValue(value: unknown, budget: Budget): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return formatFloat(value)
  if (value instanceof JsonNumber) return value.text
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (isNil(value)) return '<nil>'
  if (value instanceof Struct) return value.text()
  budget.step()
  return budget.nested(() => {
    if (Array.isArray(value)) return `[${value.map((item) => charged(item, budget)).join(' ')}]`
    if (!isMapping(value)) return String(value)
    const members = sortedEntries(value, budget).map(([name, item]) => `${name}:${charged(item, budget)}`)
    return `map[${members.join(' ')}]`
  })
}

/** A list may contain the same long text many times, so each occurrence is charged. */
function charged(value: unknown, budget: Budget): string {
  budget.spend(typeof value === 'string' ? value.length + 1 : 8)
  return formatValue(value, budget)
}

/** Numbers of a body that `formatFloat` or `JSON.stringify` would write in another way. */
export const changedByTemplates: NumberRule = {
  mayHold: new RegExp(`${changedByJson.mayHold.source}|(?:^|[\\s:,[])-?(?:\\d{7}|0\\.0000)`),
  plain: plainNumbers(6),
}

/**
 * Formats floats with the fewest digits that identify them, in scientific notation if the exponent is below -4 or at
 * least 6: the product 1234567.0 is printed as 1.234567e+06, as in Go (`int` prints it plain).
 */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  const power = Number(exponent)
  return power < -4 || power >= 6 ? `${digits}e${signedExponent(power)}` : String(value)
}

/** Go writes at least two digits of an exponent. */
export function signedExponent(power: number): string {
  return `${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}
