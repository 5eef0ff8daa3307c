/**
 * The proof that a session requires. The name of many sessions is public: a user name, the MD5 of a token's subject, the
 * fingerprint of a certificate, the key id of a signature. Such a session is accepted only with the proof that it was
 * created for; `pipeline/2-identify/check-required-proof.ts` compares it with the request.
 * Source: docs/reference/authentication.md#session-proof.
 */
import type { Session } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import { clientIdentityKeyName, identityKeyName } from './names/identity-key-name.ts'
import { storedNameOf } from './names/key-name.ts'

/** What a request showed: a key, a password, a signature, a JSON web token, an OAuth access token or a certificate. */
export type ProofMethod = 'key' | 'basic' | 'hmac' | 'jwt' | 'oauth' | 'certificate'

export interface RequiredProof {
  /** Methods that the session is accepted with; empty: all. */
  readonly methods: readonly ProofMethod[]
  /** Ids of certificates. The connection must present one of them; empty: none needed. */
  readonly certificates: readonly string[]
}

/**
 * Returns false if the session certainly requires no proof. Stores keep the result, so that most requests read no own
 * fields.
 */
export function mayRequireProof(session: Session): boolean {
  const { basicAuthData, jwtData, alias, certificate, mtlsStaticCertificateBindings } = session
  return (
    basicAuthData.password !== '' ||
    jwtData.secret !== '' ||
    signs(session) ||
    // The alias of a JWT session is the subject of its tokens.
    alias !== '' ||
    certificate !== '' ||
    (mtlsStaticCertificateBindings ?? []).length > 0 ||
    isClientToken(session)
  )
}

/** The proof that a stored session requires; `undefined`: none. */
export function requiredProofOf(
  session: Session,
  storedName: string,
  keys: GatewaySettings['keys'],
): RequiredProof | undefined {
  const methods: ProofMethod[] = []
  if (session.basicAuthData.password !== '') methods.push('basic')
  if (signs(session)) methods.push('hmac')
  if (session.jwtData.secret !== '' || isTokenSession(session, storedName, keys)) methods.push('jwt')
  if (isClientToken(session)) methods.push('oauth')
  const certificates = session.certificate === '' ? [] : [session.certificate]
  if (certificates.length === 0) certificates.push(...(session.mtlsStaticCertificateBindings ?? []))
  return methods.length === 0 && certificates.length === 0 ? undefined : { methods, certificates }
}

function signs({ hmacEnabled, hmacString, enableHttpSignatureValidation }: Session): boolean {
  return (hmacEnabled && hmacString !== '') || enableHttpSignatureValidation
}

/**
 * Whether this is the session of an OAuth token that opens the APIs of its client: it names no rights itself
 * (docs/reference/oauth-endpoints.md#key-rules-without-access-rights).
 */
function isClientToken({ oauthClientId, accessRights, applyPolicies, applyPolicyId }: Session): boolean {
  const hasPolicies = (applyPolicies ?? []).length > 0 || applyPolicyId !== ''
  return oauthClientId !== '' && !hasPolicies && Object.keys(accessRights ?? {}).length === 0
}

/**
 * Whether the session was created for the tokens of an identity. Compares stored names: a client chooses the text that
 * leads to a stored name.
 */
function isTokenSession(
  { alias, orgId, oauthClientId }: Session,
  storedName: string,
  keys: GatewaySettings['keys'],
): boolean {
  if (alias === '') return false
  const functions = new Set([keys.hashFunction, ...keys.hashFunctionFallback, ''] as const)
  return [...functions].some((name) => {
    const names = [identityKeyName(alias, orgId, name), clientIdentityKeyName(alias, oauthClientId, orgId, name)]
    return names.some((keyName) => storedNameOf(keyName, keys.hashKeys) === storedName)
  })
}
