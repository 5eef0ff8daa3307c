/** Whose token it is: the identity field of the API, else the subject. Source: spec/oauth-certs-reload.md 3.1. */
import { type Claims, textClaim } from './claims.ts'

export type IdentityClaim =
  | { readonly kind: 'identity'; readonly value: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'empty-field' }
  | { readonly kind: 'empty-subject' }

/** A field that is there and empty is not passed over for the subject. */
export function identityOf(claims: Claims, field: string): IdentityClaim {
  const named = textClaim(claims, field)
  if (named !== undefined) return named === '' ? { kind: 'empty-field' } : { kind: 'identity', value: named }
  const subject = textClaim(claims, 'sub')
  if (subject === undefined) return { kind: 'missing' }
  return subject === '' ? { kind: 'empty-subject' } : { kind: 'identity', value: subject }
}
