/** Checks the input of functions of this package, so that a wrong value fails at once and not as a result. */

/** A function got wrong input. The message has the function, the value and what it must be. */
export class InputError extends TypeError {
  override readonly name = 'InputError'
}

/** Returns what a value must be, or `undefined` if it is right. */
export type InputCheck = (value: unknown) => string | undefined

const passes =
  (isRight: (value: unknown) => boolean, what: string): InputCheck =>
  (value) =>
    isRight(value) ? undefined : what

export const aNumber = passes(Number.isFinite, 'a finite number')
export const aPositiveNumber = passes((value) => Number.isFinite(value) && (value as number) > 0, 'a number above 0')
export const anAmountOfTime = passes(
  (value) => Number.isFinite(value) && (value as number) >= 0,
  'a number of at least 0',
)
export const aFunction = passes((value) => typeof value === 'function', 'a function')
export const aFlag = passes((value) => typeof value === 'boolean', 'true or false')
export const aList = passes(Array.isArray, 'a list')
export const aText = passes((value) => typeof value === 'string' && value !== '', 'a text that is not empty')

export function aWholeNumber(least: number): InputCheck {
  return passes((value) => Number.isSafeInteger(value) && (value as number) >= least, `a whole number from ${least} on`)
}

export function oneOf(values: readonly string[]): InputCheck {
  return passes((value) => values.includes(value as string), `one of: ${values.join(', ')}`)
}

/** An object that has these methods. */
export function anObjectWith(...methods: readonly string[]): InputCheck {
  const has = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    methods.every((name) => typeof Reflect.get(value, name) === 'function')
  return passes(has, `an object with ${methods.length === 1 ? 'the method' : 'the methods'} ${methods.join(', ')}`)
}

/** Throws an `InputError` if the value is wrong. `what` names it, such as `the limit`. */
export function checkInput(fn: string, what: string, value: unknown, check: InputCheck): void {
  const problem = check(value)
  if (problem !== undefined) throw new InputError(`${fn}: ${what} is ${shown(value)}; it must be ${problem}`)
}

/** Throws an `InputError` for an unknown option, and for an option with a wrong value. Options may be undefined. */
export function checkOptions<T extends object>(
  fn: string,
  options: T,
  checks: { readonly [name in keyof T]-?: InputCheck },
  required: readonly (keyof T & string)[] = [],
): void {
  if (typeof options !== 'object' || options === null)
    throw new InputError(`${fn}: the options are ${shown(options)}; they must be an object`)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name))
      throw new InputError(`${fn}: option ${name} is unknown; the options are: ${Object.keys(checks).join(', ')}`)
    if (value !== undefined) checkInput(fn, name, value, checks[name as keyof T])
  }
  for (const name of required) if (options[name] === undefined) throw new InputError(`${fn}: ${name} is missing`)
}

function shown(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value)
  if (typeof value === 'function') return 'a function'
  try {
    const text = JSON.stringify(value) ?? String(value)
    return text.length > 100 ? `${text.slice(0, 100)}…` : text
  } catch {
    return 'an object'
  }
}
