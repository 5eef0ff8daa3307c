/**
 * The kinds of keys that the files speak of: one for each policy that opens something by itself, and each key of the
 * seed file that says more than one policy does. Whatever `verify` says of limits, it says of keys like these.
 */
import type { Policy, PolicyBook, Session } from '@turnpike/core'
import { type Seed, type SessionDocument, toSession } from 'turnpike/embedding'
import { quoted } from './words.ts'

export interface KeyPlan {
  /** Whose promise it is: `policy "gold"`, `key "shop"`. */
  readonly words: string
  /** What a key of it is made with. */
  readonly document: SessionDocument
  readonly session: Session
  /** In order of application; those that nobody wrote are left out. */
  readonly policies: readonly Policy[]
  /** A policy by itself, or a key of the seed file. */
  readonly source: 'policy' | 'seed'
}

/** All kinds of keys; a seed that holds a key which cannot be read has been refused before. */
export function keyPlans(book: PolicyBook, seed: Seed | undefined): KeyPlan[] {
  const ofPolicies = book.policies.filter(opensByItself).map((policy): KeyPlan => {
    const document: SessionDocument = { org_id: policy.orgId, apply_policies: [policy.id] }
    const words = `policy "${policy.id}"`
    return { words, document, session: toSession(document), policies: [policy], source: 'policy' }
  })
  const ofSeed = Object.entries(seed?.keys ?? {}).flatMap(([name, given]): KeyPlan[] => {
    const document = given as SessionDocument
    const session = toSession(document)
    const policies = idsOf(session).flatMap((id) => book.find(id, session.orgId) ?? [])
    if (policies.length === 1 && saysNoMore(document)) return []
    const words =
      policies.length > 1 ? `key "${name}" (policies ${quoted(policies.map(({ id }) => id))})` : `key "${name}"`
    return [{ words, document, session, policies, source: 'seed' }]
  })
  return [...ofPolicies, ...ofSeed]
}

/** What a policy sets; without partitions all of it. */
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
