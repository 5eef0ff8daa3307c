/**
 * The identity of a token: the identity fields of the API, otherwise the subject. Source:
 * docs/reference/jwt.md#json-web-tokens.
 */
import { type Claims, textClaim } from './read-claims.ts'

export type IdentityClaim =
  | { readonly kind: 'identity'; readonly value: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'empty-field'; readonly field: string }
  | { readonly kind: 'empty-subject' }

/** Uses the first field that exists. An empty field is an error; the next field is not tried. */
export function identityOf(claims: Claims, fields: readonly string[]): IdentityClaim {
  for (const field of fields) {
    const named = textClaim(claims, field)
    if (named !== undefined) return named === '' ? { kind: 'empty-field', field } : { kind: 'identity', value: named }
  }
  const subject = textClaim(claims, 'sub')
  if (subject === undefined) return { kind: 'missing' }
  return subject === '' ? { kind: 'empty-subject' } : { kind: 'identity', value: subject }
}
