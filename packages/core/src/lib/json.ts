/**
 * Reading free JSON. An extension is written by people and only partly described, so each member is read with its
 * type in mind: what has another type counts as absent, except where absence would open something; those places check.
 */

/** An object of a document. */
export type Json = Readonly<Record<string, unknown>>

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object itself, or an empty one. */
export function objectOf(value: unknown): Json {
  return isJson(value) ? value : {}
}

/** The member that the names lead to; `undefined` where the way ends. */
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

/** Whether a part of an extension is switched on; parts are off unless they say otherwise. */
export function isOn(part: unknown): boolean {
  return memberOf(part, 'enabled') === true
}
