/** Copies plain data (what JSON can hold, and `undefined`), as a store that writes to disk would. */
export function copyOf<T>(value: T): T {
  return copyAny(value) as T
}

function copyAny(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyAny)
  // Maps by outside names have no prototype, so that no name of a method is found in them; nor has their copy.
  if (Object.getPrototypeOf(value) === null) {
    const map: Record<string, unknown> = Object.create(null)
    for (const name of Object.keys(value)) map[name] = copyAny((value as Record<string, unknown>)[name])
    return map
  }
  // Spread keeps the hidden class of an object with many fields; set one by one they would make it a slow dictionary.
  const copy: Record<string, unknown> = { ...value }
  for (const name in copy) {
    const held = copy[name]
    if (typeof held === 'object' && held !== null) copy[name] = copyAny(held)
  }
  return copy
}
