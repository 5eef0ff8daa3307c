/** Checks that policies exist that definitions name for token claims. A missing policy would reject every token. */
import { type JsonPath, nearestName } from '@turnpike/core/lib'
import type { Finding } from '../config/finding.ts'
import type { CheckedApi } from './checked-api.ts'
import { findingAt } from './finding-at.ts'

export function checkReferences(apis: readonly CheckedApi[], policyIds: ReadonlySet<string>): Finding[] {
  return apis.flatMap((api) =>
    namedPolicies(api)
      .filter(([, id]) => id !== '' && !policyIds.has(id))
      .map(([path, id]) => findingAt(api, 'unknown-policy', path, { id }, nearestName(id, policyIds))),
  )
}

function namedPolicies({ definition: { document } }: CheckedApi): [JsonPath, string][] {
  const defaults = (document.jwtDefaultPolicies ?? []).map((id, i): [JsonPath, string] => [
    ['jwt_default_policies', i],
    id,
  ])
  const scopes = (['jwt', 'oidc'] as const).flatMap((kind) =>
    Object.entries(document.scopes[kind].scopeToPolicy ?? {}).map(([scope, id]): [JsonPath, string] => [
      ['scopes', kind, 'scope_to_policy', scope],
      id,
    ]),
  )
  const old = Object.entries(document.jwtScopeToPolicyMapping ?? {}).map(([scope, id]): [JsonPath, string] => [
    ['jwt_scope_to_policy_mapping', scope],
    id,
  ])
  return [...defaults, ...scopes, ...old]
}
