/** Verifies ID tokens of OpenID Connect (OpenID Connect Core 1.0, section 3.1.3.7). Source: docs/reference/openid-connect.md. */
import type { ClassicDefinition } from '../../definition/classic.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { decodeBase64 } from '../../lib/text/base64.ts'
import { strictUtf8Text } from '../../lib/text/utf8.ts'
import type { Millis } from '../../ports/clock.ts'
import type { ParsedToken, TokenKey, TokenVerifier } from '../../ports/token-verifier.ts'
import { decideTimes, expiresOf } from '../jwt/check-times.ts'
import type { KeySets } from '../jwt/key-set-cache.ts'
import { type Claims, textClaim } from '../jwt/read-claims.ts'
import { makeVerifiedTokenCache } from '../jwt/verified-token-cache.ts'
import type { DiscoverKeys } from './discover-keys.ts'

export interface IdToken {
  readonly claims: Claims
  /** The subject. */
  readonly identity: string
  readonly clientId: string
  /** The policy of the client; empty if the definition names none. */
  readonly policyId: string
}

export interface IdTokenServices {
  readonly tokenVerifier: TokenVerifier
  readonly keySets: KeySets
  readonly discoverKeys: DiscoverKeys
}

/** Returns the token, or why it is rejected. */
export type VerifyIdToken = (text: string, now: Millis) => Maybe<IdToken | string>

const noSkews = { expires: 0, issuedAt: 0, notBefore: 0 }

export function makeVerifyIdToken(
  apiId: string,
  options: ClassicDefinition['openidOptions'],
  { tokenVerifier, keySets, discoverKeys }: IdTokenServices,
): VerifyIdToken {
  const clientsOf = clientsByIssuer(options)
  const verifiedTokens = makeVerifiedTokenCache()

  const keyFor = (issuer: string, { kid, family }: ParsedToken): Maybe<TokenKey | undefined> => {
    // A secret of the client could be used as well, but the definition has none.
    if (kid === undefined || (family !== 'rsa' && family !== 'ecdsa')) return undefined
    return when(discoverKeys(issuer), (url) =>
      url === undefined ? undefined : keySets.keyFor({ apiId, url, kid, family }),
    )
  }

  const check = (token: ParsedToken, key: TokenKey | undefined, now: Millis): string | undefined => {
    if (key === undefined) return 'no key for this token'
    if (verifiedTokens.get(token.text, now)?.key !== key) {
      if (!key.verifies(token)) return 'the signature is wrong'
      verifiedTokens.add(token, key, now)
    }
    if (expiresOf(token.claims) === undefined) return 'the token has no exp'
    return decideTimes(token.claims, noSkews, now)
  }

  return (text, now) => {
    const token = verifiedTokens.get(text, now)?.token ?? tokenVerifier.parse(text)
    if (token === undefined) return 'the token cannot be read'
    const issuer = textClaim(token.claims, 'iss') ?? ''
    const clients = clientsOf.get(issuer)
    if (clients === undefined) return 'the issuer is not in openid_options'
    const clientId = audiencesOf(token.claims).find((audience) => clients.has(audience))
    if (clientId === undefined) return 'no audience of the token is a known client'
    const identity = textClaim(token.claims, 'sub') ?? ''
    if (identity === '') return 'the token has no subject'
    const { claims } = token
    return when(keyFor(issuer, token), (key) => {
      return check(token, key, now) ?? { claims, identity, clientId, policyId: clients.get(clientId) ?? '' }
    })
  }
}

/** Policies by client id, by issuer. */
function clientsByIssuer({ providers }: ClassicDefinition['openidOptions']): ReadonlyMap<string, Map<string, string>> {
  const issuers = new Map<string, Map<string, string>>()
  for (const { issuer, clientIds } of providers ?? []) {
    const clients = issuers.get(issuer) ?? new Map<string, string>()
    for (const [encoded, policyId] of Object.entries(clientIds ?? {})) clients.set(decodeClientId(encoded), policyId)
    issuers.set(issuer, clients)
  }
  return issuers
}

/** Client ids are written in base64, because they are names of members. Other texts count as they are. */
function decodeClientId(text: string): string {
  const bytes = decodeBase64(text)
  return (bytes && strictUtf8Text(bytes)) ?? text
}

function audiencesOf(claims: Claims): readonly string[] {
  const audience = Object.hasOwn(claims, 'aud') ? claims['aud'] : undefined
  const all: readonly unknown[] = Array.isArray(audience) ? audience : [audience]
  return all.filter((one) => typeof one === 'string')
}
