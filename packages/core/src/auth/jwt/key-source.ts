/**
 * Finds the key that verifies an API's tokens: a shared secret or public key in the definition, a key set by URL, or the
 * secret in the session of a key. Source: docs/reference/jwt.md#json-web-tokens.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { decodeBase64 } from '../../lib/text/base64.ts'
import { strictUtf8Text, utf8Bytes } from '../../lib/text/utf8.ts'
import type { CallTracer } from '../../ports/call-span.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { ParsedToken, TokenFamily, TokenKey, TokenVerifier } from '../../ports/token-verifier.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { SessionCache } from '../../session/session-cache.ts'
import { keySetUrlOf } from './claim-settings.ts'
import { identityOf } from './identity-claim.ts'
import type { KeySets } from './key-set-cache.ts'

export interface FoundKey {
  readonly key: TokenKey
  /** The gateway key that the token belongs to; `undefined` if the definition provides the key. */
  readonly owner: CachedKey | undefined
}

export interface KeySource {
  readonly family: TokenFamily
  /** Whether the definition provides the key for all tokens of the API; sessions are then created from claims. */
  readonly isCentral: boolean
  /** `undefined` if no key matches the token. Returns the same object as long as the key does not change. */
  find(token: ParsedToken, caller?: CallTracer): Maybe<FoundKey | undefined>
}

export interface KeySourceServices {
  readonly tokenVerifier?: TokenVerifier | undefined
  readonly keySets?: KeySets | undefined
  readonly sessionCache: SessionCache
  readonly settings: { readonly keys: Pick<GatewaySettings['keys'], 'minTokenLength'> }
}

/** A source that the definition provides for all tokens of an API. */
export interface CentralKeySource {
  readonly family: TokenFamily
  /** Why tokens can never be verified; `undefined` if the source is usable. */
  readonly problem: string | undefined
  find(token: ParsedToken, caller?: CallTracer): Maybe<FoundKey | undefined>
}

/** `listed`: key set URLs of the definition, in order. */
export function makeKeySource(
  api: ApiDefinition,
  services: KeySourceServices,
  listed: readonly string[] = [],
): KeySource & { readonly problem: string | undefined } {
  const { jwtSource, jwtSigningMethod: signingMethod } = api.document
  const source = jwtSource || (listed[0] ?? '')
  if (source === '') {
    const family = tokenFamilyOf(signingMethod)
    return { family, isCentral: false, problem: undefined, find: keysOfSessions(api, family, services) }
  }
  return {
    isCentral: true,
    ...makeCentralKeySource({ apiId: api.id, field: 'jwt_source', source, signingMethod, listed }, services),
  }
}

export interface CentralSource {
  readonly apiId: string
  /** Name of the source in the definition, for messages. */
  readonly field: string
  /** Base64 of a secret or PEM key, or the URL of a key set, plain or in base64. */
  readonly source: string
  readonly signingMethod: string
  /** All key set URLs, if `source` is only the first of them. */
  readonly listed?: readonly string[]
}

export function makeCentralKeySource(
  { apiId, field, source, signingMethod, listed = [] }: CentralSource,
  services: Pick<KeySourceServices, 'tokenVerifier' | 'keySets'>,
): CentralKeySource {
  const family = tokenFamilyOf(signingMethod)
  const url = keySetUrlOf(source)
  const urls = url !== undefined && listed.includes(url) ? listed : [url].filter((one) => one !== undefined)
  if (urls.length > 0) return { family, ...fromSets(apiId, family, urls, services.keySets) }
  const key = readMaterial(decodeBase64(source), family, services.tokenVerifier)
  const found = key === undefined ? undefined : { key, owner: undefined }
  const problem =
    found === undefined ? `${field} holds no ${family === 'hmac' ? 'secret' : `${family} key`} in base64` : undefined
  return { family, problem, find: () => found }
}

function fromSets(apiId: string, family: TokenFamily, urls: readonly string[], keySets: KeySets | undefined) {
  return {
    problem: keySets === undefined ? 'key sets cannot be fetched here' : undefined,
    find({ kid }: ParsedToken, caller?: CallTracer): Maybe<FoundKey | undefined> {
      if (kid === undefined || keySets === undefined) return undefined
      const searchFrom = (at: number): Maybe<FoundKey | undefined> => {
        const url = urls[at]
        if (url === undefined) return undefined
        return when(keySets.keyFor({ apiId, url, kid, family, caller }), (key) =>
          key === undefined ? searchFrom(at + 1) : { key, owner: undefined },
        )
      }
      return searchFrom(0)
    },
  }
}

/** Each session contains its own secret or public key; the token's header or claims identify the session. */
function keysOfSessions(
  { orgId, document }: ApiDefinition,
  family: TokenFamily,
  { sessionCache, tokenVerifier, settings }: KeySourceServices,
) {
  const { minTokenLength } = settings.keys
  const read = new WeakMap<CachedKey, FoundKey>()
  const keyOf = (owner: CachedKey | undefined): FoundKey | undefined => {
    if (owner === undefined || owner.session.jwtData.secret === '') return undefined
    const known = read.get(owner)
    if (known !== undefined) return known
    const key = readMaterial(utf8Bytes(owner.session.jwtData.secret), family, tokenVerifier)
    if (key === undefined) return undefined
    const found = { key, owner }
    read.set(owner, found)
    return found
  }
  return ({ kid, claims }: ParsedToken): Maybe<FoundKey | undefined> => {
    const named = document.jwtSkipKid ? undefined : kid
    const identity = named ?? textOfIdentity(identityOf(claims, [document.jwtIdentityBaseField]))
    return identity.length <= minTokenLength ? undefined : when(sessionCache.find(identity, orgId), keyOf)
  }
}

const textOfIdentity = (claim: ReturnType<typeof identityOf>) => (claim.kind === 'identity' ? claim.value : '')

function readMaterial(
  bytes: Uint8Array | undefined,
  family: TokenFamily,
  verifier: TokenVerifier | undefined,
): TokenKey | undefined {
  if (bytes === undefined) return undefined
  if (family === 'hmac') return verifier?.readKey({ kind: 'secret', bytes })
  const text = textOf(bytes)
  const key = text === undefined ? undefined : verifier?.readKey({ kind: 'pem', text })
  return key?.family === family ? key : undefined
}

/** Parses `jwt_signing_method`. Default: `hmac`. */
function tokenFamilyOf(signingMethod: string): TokenFamily {
  const method = signingMethod.toLowerCase()
  return method === 'rsa' || method === 'ecdsa' ? method : 'hmac'
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : strictUtf8Text(bytes)
}
