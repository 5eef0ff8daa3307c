/** Checks of options at run time, for callers whose options no compiler has checked. */
import { isJson, nearestName } from '@turnpike/core/lib'
import { OptionError, shown } from './option-error.ts'

/** Returns what an option must be if the value is wrong: the end of the sentence "the option must be …". */
export type OptionCheck = (value: unknown) => string | undefined

export type OptionChecks = Readonly<Record<string, OptionCheck>>

/**
 * Throws an `OptionError` unless `options` is an object whose members are all known and pass their checks. Absent and
 * undefined members pass. `caller`: name of the function, for messages.
 */
export function readOptions(caller: string, options: unknown, checks: OptionChecks): void {
  if (!isJson(options)) {
    throw new OptionError('options', `${caller}: the options must be an object, given: ${shown(options)}`)
  }
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (check === undefined) throw unknownOption(caller, name, Object.keys(checks))
    if (value === undefined) continue
    const expected = check(value)
    if (expected !== undefined) {
      throw new OptionError(name, `${caller}: the option "${name}" must be ${expected}; given: ${shown(value)}`)
    }
  }
}

function unknownOption(caller: string, name: string, known: readonly string[]): OptionError {
  const near = nearestName(name, known)
  const fix = near === undefined ? `the options are ${known.join(', ')}` : `did you mean "${near}"?`
  return new OptionError(name, `${caller}: "${name}" is not an option; ${fix}`)
}

export const isText: OptionCheck = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a text that is not empty'

export const isBoolean: OptionCheck = (value) => (typeof value === 'boolean' ? undefined : 'true or false')

/** Accepts one of the words, or an object with these methods and members. `what` names the object. */
export function oneOfOr(words: readonly string[], what: string, members: readonly string[]): OptionCheck {
  const list = words.map((word) => `"${word}"`).join(', ')
  return (value) => {
    if (typeof value === 'string' && words.includes(value)) return undefined
    const missing = missingMembers(value, members)
    if (missing === undefined) return undefined
    const needs = missing.length === 0 ? '' : ` (missing: ${missing.join(', ')})`
    return `${list === '' ? '' : `${list} or `}${what} with ${members.join(', ')}${needs}`
  }
}

/** The members that an object lacks; empty if the value is no object; `undefined` if it has all of them. */
function missingMembers(value: unknown, members: readonly string[]): readonly string[] | undefined {
  if (!isJson(value)) return []
  const missing = members.filter((name) => value[name] === undefined)
  return missing.length === 0 ? undefined : missing
}
