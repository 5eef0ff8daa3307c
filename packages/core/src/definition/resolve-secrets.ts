/**
 * Replaces `env://NAME` and `secrets://NAME` in a document. References can follow other text (`http://env://HOST`). The
 * name of a variable extends to the end of the text. `echo://PATH` is a path on the built-in echo upstream and must be
 * at the start of a text. Where `env://NAME` is a whole target URL or listen path, the variable `SVC_SECRET_NAME` is tried
 * too. A reference without a value stays as it is. Source:
 * docs/reference/secrets.md#references-in-definitions.
 */

import type { SecretLookup } from '../lib/secret-lookup.ts'

const environmentReference = /env:\/\/(.*)$/s
const echoReference = /^echo:\/\/\/*/
const mapReference = /secrets:\/\/([\w-]+(?:\.[\w-]+)*)/g

/** Members whose value was read from secret variables before definitions could refer to all variables. */
const addressMembers: ReadonlySet<string> = new Set(['target_url', 'listen_path'])

function isWholeAddress(member: string, text: string): boolean {
  return addressMembers.has(member) && text.startsWith('env://')
}

/** A fast check whether the text can contain a reference. */
export function mayNameSecrets(text: string): boolean {
  return ['env://', 'secrets://', 'echo://', '\\/\\/'].some((mark) => text.includes(mark))
}

/** The texts that `resolveSecrets` replaced, by the object or list that contains them and by name or index. */
export type ReplacedTexts = Map<object, Map<string, string>>

/**
 * Replaces the references in place. Returns their values in order; empty for those without a value. `replaced` collects
 * the texts that it replaces.
 */
export function resolveSecrets(document: unknown, lookup: SecretLookup, replaced?: ReplacedTexts): string[] {
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
      const resolved = resolveText(member, isWholeAddress(name, member) ? orSecretVariable(lookup) : lookup, used)
      if (resolved === member) continue
      members[name] = resolved
      const texts = replaced?.get(parent) ?? new Map<string, string>()
      replaced?.set(parent, texts.set(name, member))
    }
  }
  return used
}

/** A copy with the replaced texts. It shares all parts without references, because documents can have many megabytes. */
export function withReplacedTexts(document: unknown, replaced: ReplacedTexts): unknown {
  if (typeof document !== 'object' || document === null) return document
  const texts = replaced.get(document)
  const members = Object.entries(document).map(([name, member]): readonly [string, unknown, unknown] => [
    name,
    member,
    texts?.get(name) ?? withReplacedTexts(member, replaced),
  ])
  if (members.every(([, member, restored]) => member === restored)) return document
  if (Array.isArray(document)) return members.map(([, , restored]) => restored)
  return Object.fromEntries(members.map(([name, , restored]) => [name, restored]))
}

/** A variable that is set but empty counts as missing. */
function orSecretVariable(lookup: SecretLookup): SecretLookup {
  return (from, name) => lookup(from, name) || (from === 'env' ? lookup('secret_env', name) : undefined)
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
