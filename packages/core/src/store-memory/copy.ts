/** Copies plain data (what JSON can hold, and `undefined`), as a store that writes to disk would. */
export function copyOf<T>(value: T): T {
  return copyAny(value) as T
}

function copyAny(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyAny)
  // Maps with names from outside have no prototype, so that `toString` is not a member. Their copies have none either.
  if (Object.getPrototypeOf(value) === null) {
    const map: Record<string, unknown> = Object.create(null)
    for (const name of Object.keys(value)) map[name] = copyAny((value as Record<string, unknown>)[name])
    return map
  }
  // A spread keeps the hidden class; V8 would turn an object with many assigned fields into a slow dictionary.
  const copy: Record<string, unknown> = { ...value }
  for (const name in copy) {
    const held = copy[name]
    if (typeof held === 'object' && held !== null) copy[name] = copyAny(held)
  }
  return copy
}
