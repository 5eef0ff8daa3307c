/** Freezes a value made of plain objects and lists recursively; skips objects that are already frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const waiting: object[] = [Object.freeze(value)]
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const name in parent) {
      const child: unknown = (parent as Record<string, unknown>)[name]
      if (typeof child === 'object' && child !== null && !Object.isFrozen(child)) waiting.push(Object.freeze(child))
    }
  }
  return value
}
