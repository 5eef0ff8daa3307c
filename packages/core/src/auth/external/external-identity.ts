/** The identity of a token that another server issued. Source: docs/reference/external-oauth.md#external-identity. */
import { type Claims, claimOf, textClaim } from '../jwt/read-claims.ts'

/** The claim of that name, as text or number; otherwise the subject. `undefined` if it is missing or empty. */
export function externalIdentity(claims: Claims, field: string): string | undefined {
  const named = field === '' ? undefined : claimOf(claims, field)
  const identity =
    typeof named === 'number' ? String(named) : typeof named === 'string' ? named : textClaim(claims, 'sub')
  return identity === '' ? undefined : identity
}
