/**
 * A value or a promise of it. The engine is synchronous where possible: a stage returns a promise only when it has to
 * wait, and callers await only then.
 */
export type Maybe<T> = T | Promise<T>

/** Returns true if the value is a promise. All packages use this function instead of `instanceof`. */
export function isPromise<T>(value: Maybe<T>): value is Promise<T> {
  return value instanceof Promise
}

/** Applies `fn` to the value: immediately if it is not a promise, otherwise when it resolves. */
export function when<T, U>(value: Maybe<T>, fn: (value: T) => Maybe<U>): Maybe<U> {
  return isPromise(value) ? value.then(fn) : fn(value)
}
