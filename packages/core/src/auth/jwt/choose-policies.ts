/** Which policies a token's session has. Pure. Source: docs/reference/jwt.md#json-web-tokens. */
import type { PolicyBook } from '../../session/policies/policy-book.ts'
import { type Claims, scopesOf, textClaim } from './claims.ts'

export interface PolicyRules {
  readonly orgId: string
  /** Claims that name a policy; the first that says something counts. */
  readonly policyFields: readonly string[]
  readonly defaultPolicies: readonly string[]
  /** Claim that holds the scopes. */
  readonly scopeClaim: string
  /** Policies by scope; empty: scopes mean nothing. */
  readonly scopeToPolicy: ReadonlyMap<string, readonly string[]>
}

export interface PolicyFacts {
  readonly claims: Claims
  /** Policies of the client's key, where the API looks at one; empty: none. */
  readonly clientPolicies: readonly string[]
  /** The identity has a session already. */
  readonly isKnown: boolean
}

export type PolicyChoice =
  | { readonly kind: 'policies'; readonly ids: readonly string[] }
  /** A policy that was named is not there, or of another organisation. */
  | { readonly kind: 'unknown-policy' }
  | { readonly kind: 'no-policy' }
  | { readonly kind: 'scope-unmapped' }
  | { readonly kind: 'no-scope-or-policy' }

/** A policy of the token or of the client stays first; scopes add theirs, and take the place of the defaults. */
export function choosePolicies(rules: PolicyRules, facts: PolicyFacts, book: PolicyBook): PolicyChoice {
  const isThere = (id: string) => book.find(id, rules.orgId) !== undefined
  const named = rules.policyFields.map((field) => textClaim(facts.claims, field) ?? '').find((id) => id !== '') ?? ''
  const base = named === '' ? facts.clientPolicies : [named]
  if (base.length > 0 && !base.some(isThere)) return { kind: 'unknown-policy' }
  const mapsScopes = rules.scopeToPolicy.size > 0
  const scopes = mapsScopes ? scopesOf(facts.claims, rules.scopeClaim) : []
  const mapped = scopes.flatMap((scope) => rules.scopeToPolicy.get(scope) ?? [])
  if (scopes.length > 0 && mapped.length === 0) return { kind: 'scope-unmapped' }
  const chosen = [...base, ...mapped]
  const ids = [...new Set(chosen.length > 0 ? chosen : rules.defaultPolicies)]
  if (ids.length > 0) return ids.some(isThere) ? { kind: 'policies', ids } : { kind: 'unknown-policy' }
  return { kind: facts.isKnown && mapsScopes ? 'no-scope-or-policy' : 'no-policy' }
}
