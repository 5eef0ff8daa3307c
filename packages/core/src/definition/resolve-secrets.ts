/**
 * Puts values in place of `env://NAME` and `secrets://NAME` in a document. The mark may stand behind other text
 * (`http://env://HOST`) and reaches to the end of its string.
 */

import type { SecretLookup } from '../lib/secret-lookup.ts'

const mark = /(env|secrets):\/\/(.*)$/s

/** Whether the text may name a secret; false for nearly all, which then need no walk. */
export function mayNameSecrets(text: string): boolean {
  return text.includes('env://') || text.includes('secrets://') || text.includes('\\/\\/')
}

/** Changes the document in place. Returns the values put in, in order: what the document's meaning depends on. */
export function resolveSecrets(document: unknown, lookup: SecretLookup): string[] {
  const used: string[] = []
  const waiting: unknown[] = [document]
  while (waiting.length > 0) {
    const parent = waiting.pop()
    if (typeof parent !== 'object' || parent === null) continue
    const members = parent as Record<string, unknown>
    for (const name of Object.keys(members)) {
      const held = members[name]
      if (typeof held === 'object' && held !== null) waiting.push(held)
      if (typeof held !== 'string' || name === '__proto__') continue
      const match = mark.exec(held)
      if (match === null) continue
      const value = lookup(match[1] as 'env' | 'secrets', match[2] as string) ?? ''
      used.push(value)
      members[name] = held.slice(0, match.index) + value
    }
  }
  return used
}
