/**
 * Replaces `env://NAME` and `secrets://NAME` in a document. References can follow other text (`http://env://HOST`). The
 * name of a variable extends to the end of the text. `echo://PATH` is a path on the built-in echo upstream and must be
 * at the start of a text. A reference without a value stays as it is. Source:
 * docs/reference/secrets.md#references-in-definitions.
 */

import type { SecretLookup } from '../lib/secret-lookup.ts'

const environmentReference = /env:\/\/(.*)$/s
const echoReference = /^echo:\/\/\/*/
const mapReference = /secrets:\/\/([\w-]+(?:\.[\w-]+)*)/g

/** A fast check whether the text can contain a reference. */
export function mayNameSecrets(text: string): boolean {
  return ['env://', 'secrets://', 'echo://', '\\/\\/'].some((mark) => text.includes(mark))
}

/** Replaces the references in place. Returns their values in order; empty for those without a value. */
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
      members[name] = resolveText(member, lookup, used)
    }
  }
  return used
}

/** Inserted values are not searched for references. */
function resolveText(text: string, lookup: SecretLookup, used: string[]): string {
  const insert = (reference: string, value: string | undefined): string => {
    used.push(value ?? '')
    return value ?? reference
  }
  const fromMap = (part: string) =>
    part.replace(mapReference, (whole, name: string) => insert(whole, lookup('secrets', name)))
  const echo = echoReference.exec(text)
  if (echo !== null) {
    const url = lookup('echo', '')
    return insert(text, url === undefined ? undefined : `${url}/${fromMap(text.slice(echo[0].length))}`)
  }
  const match = environmentReference.exec(text)
  if (match === null) return fromMap(text)
  const [whole, name = ''] = match
  // A variable that is set but empty counts as missing.
  return fromMap(text.slice(0, match.index)) + insert(whole, lookup('env', name) || undefined)
}

/** Whether a text contains a reference. A resolved text does if the variable or secret is missing. */
export function isUnresolved(text: string): boolean {
  return /(env|secrets):\/\//.test(text)
}
