/** Parses JSON from clients: bounded in depth, without keys that affect prototypes. */
import { nestsDeeperThan } from '@turnpike/core/lib'

/** Largest nesting depth. Real definitions and sessions are far below; deeper ones overflow recursive code. */
const deepest = 200

/** Returns the value; `undefined` for invalid JSON or too much nesting. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  if (nestsDeeperThan(text, deepest)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return { value: mayNamePrototype(text) ? withoutPrototypeKeys(value) : value }
  } catch {
    return undefined
  }
}

/** `__proto__`, literal or with an escape. */
function mayNamePrototype(text: string): boolean {
  return text.includes('__proto__') || /\\u00[567]/.test(text)
}

function withoutPrototypeKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutPrototypeKeys)
  const clean: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(value)) {
    if (name !== '__proto__') clean[name] = withoutPrototypeKeys(entry)
  }
  return clean
}
