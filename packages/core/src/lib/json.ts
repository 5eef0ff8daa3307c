/**
 * Accessors for JSON without a fixed schema. People write extensions by hand and only part of them is described, so
 * each accessor expects a type: a value of another type counts as absent. Where an absent value would disable a
 * protection, the caller checks the type itself.
 */

import { JsonNumber } from './text/json-number.ts'

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/** Parses a text; `undefined` if it is not the JSON of an object. */
export function parseJsonObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): Json {
  return isJson(value) ? value : {}
}

/** Returns the member at the path; `undefined` if a step of the path does not exist. */
export function memberOf(value: unknown, ...names: readonly string[]): unknown {
  let at = value
  for (const name of names) {
    if (!isJson(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((entry): entry is string => typeof entry === 'string')
}

/** Returns true if a part of an extension is enabled; the default is disabled. */
export function isOn(part: unknown): boolean {
  return memberOf(part, 'enabled') === true
}
