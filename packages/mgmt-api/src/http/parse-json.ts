/** Parses JSON from clients: bounded in depth, without keys that affect prototypes. */

/** Largest nesting depth. Real definitions and sessions are far below; deeper ones overflow recursive code. */
const deepest = 200

/** Returns the value; `undefined` for invalid JSON or too much nesting. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  if (isDeeperThan(text, deepest)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return { value: mayNamePrototype(text) ? withoutPrototypeKeys(value) : value }
  } catch {
    return undefined
  }
}

/** Counts brackets outside of strings, so it needs no parser and no stack. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) i = endOfString(text, i)
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/** The place of the closing quote; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return text.length
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
