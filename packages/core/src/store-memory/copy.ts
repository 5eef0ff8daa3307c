/** Copies plain data (what JSON can hold, and `undefined`), as a store that writes to disk would. */
export function copyOf<T>(value: T): T {
  return copyAny(value) as T
}

function copyAny(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyAny)
  // Maps by outside names have no prototype, so that no name of a method is found in them; nor has their copy.
  const copy: Record<string, unknown> = Object.getPrototypeOf(value) === null ? Object.create(null) : {}
  for (const name of Object.keys(value)) copy[name] = copyAny((value as Record<string, unknown>)[name])
  return copy
}
