/**
 * The policies in force, by id. A book never changes: a reload makes a new one.
 * Ids are unique within an organisation only, since a folder may hold one file per organisation.
 */
import type { Policy } from './policy.ts'

export interface PolicyBook {
  readonly size: number
  /** In the order in which they were read. */
  readonly policies: readonly Policy[]
  /** The policy of any organisation; the last one read where several share the id. */
  get(id: string): Policy | undefined
  /** The policy that a key of this organisation means by the id: those of others are unknown to it. */
  find(id: string, orgId: string): Policy | undefined
}

/** A book of these policies; those without an id (and without the 24 digits that stand in for it) are left out. */
export function makePolicyBook(given: Iterable<Policy>): PolicyBook {
  const policies: Policy[] = []
  const byId = new Map<string, Policy[]>()
  for (const policy of given) {
    const id = idOf(policy)
    if (id === '') continue
    const named = policy.id === id ? policy : { ...policy, id }
    policies.push(named)
    addTo(byId, id, named)
  }
  // The database id finds a policy as well, but never hides one whose own id it is.
  for (const policy of policies) {
    if (policy.databaseId !== policy.id && isDatabaseId(policy.databaseId) && !byId.has(policy.databaseId)) {
      addTo(byId, policy.databaseId, policy)
    }
  }
  return {
    size: policies.length,
    policies,
    get: (id) => byId.get(id)?.at(-1),
    find: (id, orgId) => byId.get(id)?.findLast((policy) => policy.orgId === orgId),
  }
}

/** A book without policies. */
export const emptyPolicyBook: PolicyBook = makePolicyBook([])

function idOf(policy: Policy): string {
  if (policy.id !== '') return policy.id
  return isDatabaseId(policy.databaseId) ? policy.databaseId : ''
}

function isDatabaseId(text: string): boolean {
  return /^[0-9a-fA-F]{24}$/.test(text)
}

function addTo(byId: Map<string, Policy[]>, id: string, policy: Policy): void {
  const same = byId.get(id)
  if (same === undefined) byId.set(id, [policy])
  else same.push(policy)
}
