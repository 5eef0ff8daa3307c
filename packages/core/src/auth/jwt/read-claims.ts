/**
 * Reads claims of a token; `check-times.ts` and `required-claims.ts` check them. A name is looked up literally first, then
 * as a path with dots. Source: docs/reference/jwt.md#json-web-tokens.
 */

/** An untrusted JSON object. Read only its own properties. */
export type Claims = Readonly<Record<string, unknown>>

/** The claim with that name or path; `undefined` if it does not exist. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  if (!name.includes('.')) return undefined
  let value: unknown = claims
  for (const step of name.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined
    value = value[step]
  }
  return value
}

/** A string claim; `undefined` for any other value. */
export function textClaim(claims: Claims, name: string): string | undefined {
  const value = name === '' ? undefined : claimOf(claims, name)
  return typeof value === 'string' ? value : undefined
}

/** Scopes: a string of words separated by spaces, or a list of strings. */
export function scopesOf(claims: Claims, name: string): readonly string[] {
  const value = claimOf(claims, name)
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '')
  if (!Array.isArray(value)) return []
  return value.filter((word): word is string => typeof word === 'string' && word !== '')
}

export function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
