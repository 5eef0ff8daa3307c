/**
 * Replaces `env://NAME` and `secrets://NAME` in a document. A reference can follow other text (`http://env://HOST`) and
 * extends to the end of its string. Source: docs/reference/secrets.md#references-in-definitions.
 */

import type { SecretLookup } from '../lib/secret-lookup.ts'

const reference = /(env|secrets):\/\/(.*)$/s

/** A fast check whether the text can contain a reference. */
export function mayNameSecrets(text: string): boolean {
  return text.includes('env://') || text.includes('secrets://') || text.includes('\\/\\/')
}

/** Replaces the references in place. Returns the inserted values in order. */
export function resolveSecrets(document: unknown, lookup: SecretLookup): string[] {
  const used: string[] = []
  const pending: unknown[] = [document]
  while (pending.length > 0) {
    const parent = pending.pop()
    if (typeof parent !== 'object' || parent === null) continue
    const members = parent as Record<string, unknown>
    for (const name of Object.keys(members)) {
      const member = members[name]
      if (typeof member === 'object' && member !== null) pending.push(member)
      if (typeof member !== 'string' || name === '__proto__') continue
      const match = reference.exec(member)
      if (match === null) continue
      const value = lookup(match[1] as 'env' | 'secrets', match[2] as string) ?? ''
      used.push(value)
      members[name] = member.slice(0, match.index) + value
    }
  }
  return used
}
