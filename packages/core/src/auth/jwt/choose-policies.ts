/** Decides which policies apply to a token's session. Source: docs/reference/jwt.md#json-web-tokens. */
import type { PolicyBook } from '../../session/policies/policy-book.ts'
import { type Claims, scopesOf, textClaim } from './read-claims.ts'

export interface PolicyRules {
  readonly orgId: string
  /** Claims that may name a policy; the first that is not empty is used. */
  readonly policyFields: readonly string[]
  readonly defaultPolicies: readonly string[]
  /** Claim that contains the scopes. */
  readonly scopeClaim: string
  /** Policies by scope; empty: scopes are ignored. */
  readonly scopeToPolicy: ReadonlyMap<string, readonly string[]>
}

export interface PolicyFacts {
  readonly claims: Claims
  /** Policies of the OAuth client's key; empty if the API does not use them. */
  readonly clientPolicies: readonly string[]
  /** Whether the identity already has a session. */
  readonly isKnown: boolean
}

export type PolicyChoice =
  | { readonly kind: 'policies'; readonly ids: readonly string[] }
  /** The policy does not exist or belongs to another organisation. */
  | { readonly kind: 'unknown-policy' }
  | { readonly kind: 'no-policy' }
  | { readonly kind: 'scope-unmapped' }
  | { readonly kind: 'no-scope-or-policy' }

/** A policy of the token or the client comes first. Scopes add policies. Default policies apply only if there are none. */
export function choosePolicies(rules: PolicyRules, facts: PolicyFacts, book: PolicyBook): PolicyChoice {
  const exists = (id: string) => book.find(id, rules.orgId) !== undefined
  const named = rules.policyFields.map((field) => textClaim(facts.claims, field) ?? '').find((id) => id !== '') ?? ''
  const base = named === '' ? facts.clientPolicies : [named]
  if (base.length > 0 && !base.some(exists)) return { kind: 'unknown-policy' }
  const mapsScopes = rules.scopeToPolicy.size > 0
  const scopes = mapsScopes ? scopesOf(facts.claims, rules.scopeClaim) : []
  const mapped = scopes.flatMap((scope) => rules.scopeToPolicy.get(scope) ?? [])
  if (scopes.length > 0 && mapped.length === 0) return { kind: 'scope-unmapped' }
  const chosen = [...base, ...mapped]
  const ids = [...new Set(chosen.length > 0 ? chosen : rules.defaultPolicies)]
  if (ids.length > 0) return ids.some(exists) ? { kind: 'policies', ids } : { kind: 'unknown-policy' }
  return { kind: facts.isKnown && mapsScopes ? 'no-scope-or-policy' : 'no-policy' }
}
