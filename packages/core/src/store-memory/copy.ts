/** Copies plain data (what JSON can hold, and `undefined`), as a store that writes to disk would. */
export function copyOf<T>(value: T): T {
  return copyAny(value) as T
}

function copyAny(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyAny)
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const field = copyAny((value as Record<string, unknown>)[name])
    if (name === '__proto__')
      Object.defineProperty(copy, name, { value: field, enumerable: true, writable: true, configurable: true })
    else copy[name] = field
  }
  return copy
}
