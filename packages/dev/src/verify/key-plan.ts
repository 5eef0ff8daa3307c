/**
 * The kinds of keys that the files define: one for each policy that grants access by itself, and one for each key of
 * the seed file that is more than a single policy. All limits that `verify` reports belong to these kinds.
 */
import type { Session } from '@turnpike/core/ports'
import type { Policy, PolicyBook } from '@turnpike/core/session'
import { type Seed, type SessionDocument, toSession } from 'turnpike/embedding'
import { quoted } from './format-text.ts'

export interface KeyPlan {
  /** Source of the guarantee: `policy "gold"`, `key "shop"`. */
  readonly words: string
  /** Id of the policy, or name of the key in the seed file. */
  readonly name: string
  /** The session that a key of this kind is created with. */
  readonly document: SessionDocument
  readonly session: Session
  /** The policies in order of application, without those that do not exist. */
  readonly policies: readonly Policy[]
  /** `policy` for a single policy, `seed` for a key of the seed file. */
  readonly source: 'policy' | 'seed'
}

/** Returns all kinds of keys. Seed files with invalid keys have been rejected earlier. */
export function keyPlans(book: PolicyBook, seed: Seed | undefined): KeyPlan[] {
  const ofPolicies = book.policies.filter(opensByItself).map((policy): KeyPlan => {
    const document: SessionDocument = { org_id: policy.orgId, apply_policies: [policy.id] }
    const words = `policy "${policy.id}"`
    return { words, name: policy.id, document, session: toSession(document), policies: [policy], source: 'policy' }
  })
  const ofSeed = Object.entries(seed?.keys ?? {}).flatMap(([name, given]): KeyPlan[] => {
    const document = given as SessionDocument
    const session = toSession(document)
    const policies = idsOf(session).flatMap((id) => book.find(id, session.orgId) ?? [])
    if (policies.length === 1 && saysNoMore(document)) return []
    const words =
      policies.length > 1 ? `key "${name}" (policies ${quoted(policies.map(({ id }) => id))})` : `key "${name}"`
    return [{ words, name, document, session, policies, source: 'seed' }]
  })
  return [...ofPolicies, ...ofSeed]
}

/** Returns the partitions that a policy sets; a policy without partitions sets all of them. */
export function partsOf({ partitions }: Policy): { acl: boolean; quota: boolean; rate: boolean; apart: boolean } {
  const { acl, quota, rateLimit, complexity, perApi } = partitions
  const whole = !(acl || quota || rateLimit || complexity || perApi)
  return { acl: whole || acl, quota: whole || quota, rate: whole || rateLimit, apart: perApi }
}

function opensByItself(policy: Policy): boolean {
  const { acl, apart } = partsOf(policy)
  return (acl || apart) && Object.keys(policy.accessRights ?? {}).length > 0 && !policy.isInactive
}

function idsOf(session: Session): readonly string[] {
  if ((session.applyPolicies ?? []).length > 0) return session.applyPolicies ?? []
  return session.applyPolicyId === '' ? [] : [session.applyPolicyId]
}

const plainFields = new Set(['org_id', 'alias', 'apply_policies', 'tags'])

function saysNoMore(document: SessionDocument): boolean {
  return Object.keys(document).every((field) => plainFields.has(field))
}
