/**
 * Resolves `env://NAME` and `secrets://NAME` in a document. References can follow other text (`http://env://HOST`). The
 * name of a variable extends to the end of the text. `echo://PATH` is a path on the built-in echo upstream and must be
 * at the start of a text. Where `env://NAME` is a whole target URL or listen path, the variable `SVC_SECRET_NAME` is tried
 * too. A reference without a value stays as it is. Source:
 * docs/reference/secrets.md#references-in-definitions.
 */

import type { SecretLookup } from '../lib/secret-lookup.ts'
import { maxJsonDepth } from '../lib/text/read-json.ts'

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

/**
 * Returns the document with the values of its references, and these values in order; empty for those without a value. The
 * document itself stays as it is, and the result shares all its parts without references, because documents can have
 * many megabytes.
 */
export function resolveSecrets(
  document: unknown,
  lookup: SecretLookup,
): { readonly resolved: unknown; readonly values: readonly string[] } {
  const values: string[] = []
  return { resolved: resolveMembers(document, lookup, values, 0), values }
}

function resolveMembers(parent: unknown, lookup: SecretLookup, values: string[], depth: number): unknown {
  // Deeper parts are of members that nothing reads.
  if (typeof parent !== 'object' || parent === null || depth > maxJsonDepth) return parent
  const members = parent as Readonly<Record<string, unknown>>
  let copy: Record<string, unknown> | undefined
  for (const name of Object.keys(members)) {
    if (name === '__proto__') continue
    const member = members[name]
    const resolved =
      typeof member === 'string'
        ? resolveText(member, isWholeAddress(name, member) ? orSecretVariable(lookup) : lookup, values)
        : resolveMembers(member, lookup, values, depth + 1)
    if (resolved === member) continue
    copy ??= (Array.isArray(parent) ? [...parent] : { ...parent }) as Record<string, unknown>
    copy[name] = resolved
  }
  return copy ?? parent
}

/** A variable that is set but empty counts as missing. */
function orSecretVariable(lookup: SecretLookup): SecretLookup {
  return (from, name) => lookup(from, name) || (from === 'env' ? lookup('secret_env', name) : undefined)
}

/** Inserted values are not searched for references. */
function resolveText(text: string, lookup: SecretLookup, used: string[]): string {
  if (!text.includes('://')) return text
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
