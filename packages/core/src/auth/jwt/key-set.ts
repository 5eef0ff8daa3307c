/** A JSON Web Key Set (RFC 7517 section 5). Keys are parsed on first use, because parsing is slow. */

import { decodeBase64Url } from '../../lib/base64url.ts'
import { readJson } from '../../lib/text/read-json.ts'
import type { PublicKey, Signatures } from '../../ports/signatures.ts'
import type { KeyFamily } from './algorithms.ts'
import { secretKey, type TokenKey } from './check-signature.ts'
import { type Claims, isObject } from './claims.ts'

/** Further keys are ignored. */
const maxKeys = 1000

export interface KeySet {
  /** The key with that id and family; returns the same object at every call. */
  find(kid: string, family: KeyFamily): TokenKey | undefined
}

const typeOfFamily: Readonly<Record<KeyFamily, string>> = { hmac: 'oct', rsa: 'RSA', ecdsa: 'EC' }

/** Parses a key set; `undefined` if the document is invalid. Invalid keys are ignored. */
export function parseKeySet(document: Uint8Array, signatures: Signatures | undefined): KeySet | undefined {
  const read = readJson(document)
  if (read.problem !== undefined || !isObject(read.value) || !Object.hasOwn(read.value, 'keys')) return undefined
  const list = read.value['keys']
  if (!Array.isArray(list)) return undefined
  const keys = list.slice(0, maxKeys).filter(isObject)
  const found = new Map<string, TokenKey | undefined>()
  return {
    find(kid, family) {
      const name = `${family} ${kid}`
      if (found.has(name)) return found.get(name)
      const jwk = keys.find((it) => own(it, 'kid') === kid && own(it, 'kty') === typeOfFamily[family])
      if (jwk === undefined) return undefined
      const key = family === 'hmac' ? secretOf(jwk) : publicKeyOf(jwk, family, signatures)
      found.set(name, key)
      return key
    },
  }
}

function secretOf(jwk: Claims): TokenKey | undefined {
  const text = own(jwk, 'k')
  const bytes = typeof text === 'string' ? decodeBase64Url(text) : undefined
  return bytes === undefined ? undefined : secretKey(bytes)
}

function publicKeyOf(jwk: Claims, family: KeyFamily, signatures: Signatures | undefined): PublicKey | undefined {
  const key = signatures?.readKey({ kind: 'jwk', jwk })
  return key?.family === family ? key : undefined
}

function own(object: Claims, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
