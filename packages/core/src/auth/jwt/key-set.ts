/** A JSON Web Key Set (RFC 7517 section 5). Keys are parsed on first use, because parsing is slow. */

import { readJson } from '../../lib/text/read-json.ts'
import type { TokenFamily, TokenKey, TokenVerifier } from '../../ports/token-verifier.ts'
import { type Claims, isObject } from './read-claims.ts'

/** Further keys are ignored. */
const maxKeys = 1000

export interface KeySet {
  /** The key with that id and family; returns the same object at every call. */
  find(kid: string, family: TokenFamily): TokenKey | undefined
}

const typeOfFamily: Readonly<Record<TokenFamily, string>> = { hmac: 'oct', rsa: 'RSA', ecdsa: 'EC' }

/** Parses a key set; `undefined` if the document is invalid. Invalid keys are ignored. */
export function parseKeySet(document: Uint8Array, verifier: TokenVerifier): KeySet | undefined {
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
      const key = verifier.readKey({ kind: 'jwk', jwk })
      // The certificate of a key can be of another kind than the key states.
      const usable = key?.family === family ? key : undefined
      found.set(name, usable)
      return usable
    },
  }
}

function own(object: Claims, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
