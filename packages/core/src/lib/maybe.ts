/**
 * A value that is there now, or later. The engine is synchronous first: a stage returns a promise only when it
 * really has to wait, and only then does anybody await.
 */
export type Maybe<T> = T | Promise<T>

/** Whether the value is still to come. All packages use this function instead of `instanceof`. */
export function isPromise<T>(value: Maybe<T>): value is Promise<T> {
  return value instanceof Promise
}

/** Applies `fn` to the value, at once when it is there, else when it arrives. */
export function when<T, U>(value: Maybe<T>, fn: (value: T) => Maybe<U>): Maybe<U> {
  return isPromise(value) ? value.then(fn) : fn(value)
}
