/**
 * The policies in force, by id. A book is immutable: a reload makes a new one.
 * Ids are unique only within an organisation, because a folder may contain one file per organisation.
 */
import type { Policy } from './policy.ts'

export interface PolicyBook {
  readonly size: number
  /** Policies in the order of the source. */
  readonly policies: readonly Policy[]
  /** Finds a policy of any organisation. If several share the id, the last one that was read is returned. */
  get(id: string): Policy | undefined
  /** Finds a policy of this organisation. */
  find(id: string, orgId: string): Policy | undefined
}

/** Makes a book. Policies with neither `id` nor `_id` are left out. */
export function makePolicyBook(given: Iterable<Policy>): PolicyBook {
  const policies: Policy[] = []
  const policiesById = new Map<string, Policy[]>()
  for (const policy of given) {
    const id = policyIdOf(policy)
    if (id === '') continue
    const named = policy.id === id ? policy : { ...policy, id }
    policies.push(named)
    addTo(policiesById, id, named)
  }
  return {
    size: policies.length,
    policies,
    get: (id) => policiesById.get(id)?.at(-1),
    find: (id, orgId) => policiesById.get(id)?.findLast((policy) => policy.orgId === orgId),
  }
}

/** A book without policies. */
export const emptyPolicyBook: PolicyBook = makePolicyBook([])

/** The id of a policy: `id`, otherwise `_id`. A policy with an `id` is not found by its `_id`. */
export function policyIdOf({ id, databaseId }: Pick<Policy, 'id' | 'databaseId'>): string {
  return id === '' ? databaseId : id
}

function addTo(policiesById: Map<string, Policy[]>, id: string, policy: Policy): void {
  const same = policiesById.get(id)
  if (same === undefined) policiesById.set(id, [policy])
  else same.push(policy)
}
