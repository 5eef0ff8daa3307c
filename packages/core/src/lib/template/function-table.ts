/** The type of template functions, and helpers for reading their arguments. */
import { JsonNumber, plainNumber } from '../text/json-number.ts'
import type { Budget } from './budget.ts'
import { formatValue } from './print.ts'
import type { Sources } from './sources.ts'
import { TemplateError } from './template-problem.ts'
import { isMapping, isNumber, type Mapping, typeName } from './value.ts'

export interface TemplateFunction {
  readonly min: number
  /** Infinity: any number of arguments. */
  readonly max: number
  run(args: readonly unknown[], budget: Budget, sources: Sources): unknown
}

export type FunctionTable = Readonly<Record<string, TemplateFunction>>

/** A function of exactly `count` arguments. */
export function fixed(count: number, run: TemplateFunction['run']): TemplateFunction {
  return { min: count, max: count, run }
}

/** A function of at least `min` arguments, up to `max` or any number. */
export function variadic(min: number, run: TemplateFunction['run'], max = Number.POSITIVE_INFINITY): TemplateFunction {
  return { min, max, run }
}

/** A function of one text argument. */
export function onText(run: (text: string, budget: Budget) => unknown): TemplateFunction {
  return fixed(1, ([value], budget) => run(textOf(value, budget), budget))
}

/** Converts any value to text; nil becomes the empty text. */
export function textOf(value: unknown, budget: Budget): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : formatValue(value, budget)
}

/** Converts a number, a text or a boolean to an integer; anything else is 0. */
export function wholeOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  // A float would round it.
  if (value instanceof JsonNumber && /^-?\d{1,18}$/.test(value.text)) return BigInt(value.text)
  const number = floatOf(value)
  return Number.isFinite(number) ? BigInt.asIntN(64, BigInt(Math.trunc(number))) : 0n
}

/** Converts a number, a text or a boolean to a float; anything else is 0. */
export function floatOf(given: unknown): number {
  const value = plainNumber(given)
  if (typeof value === 'number') return value
  if (typeof value === 'string') {
    const text = value.trim()
    return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : 0
  }
  return typeof value === 'bigint' || typeof value === 'boolean' ? Number(value) : 0
}

/** Reads an index or a size: an integer in the range of the list or text. Fails if it is not a number. */
export function indexOf(given: unknown, what: string): number {
  const value = plainNumber(given)
  if (!isNumber(value) || !Number.isInteger(Number(value))) {
    throw new TemplateError(`cannot ${what} with type ${typeName(value)}`)
  }
  return Number(value)
}

export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (value === undefined || value === null) return []
  throw new TemplateError(`wrong type for value; expected a list; got ${typeName(value)}`)
}

export function mapOf(value: unknown): Mapping {
  if (isMapping(value)) return value
  if (value === undefined || value === null) return new Map()
  throw new TemplateError(`wrong type for value; expected a map; got ${typeName(value)}`)
}

/** The functions under their names with the prefix `must`. All functions fail on errors, so both names do the same. */
export function withMust(functions: FunctionTable): FunctionTable {
  const named = Object.entries(functions).map(([name, fn]) => [`must${name[0]?.toUpperCase()}${name.slice(1)}`, fn])
  return Object.fromEntries(named)
}
