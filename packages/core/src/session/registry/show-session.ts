/**
 * A stored session in the form of the management API: with policies applied, remaining quotas read from the counters,
 * and without password. Source: docs/reference/key-management.md#read-a-key.
 */

import { unixSeconds } from '../../lib/text/time.ts'
import type { QuotaState } from '../../ports/quota.ts'
import type { AccessRight, Session } from '../../ports/session.ts'
import type { CounterStore } from '../../ports/store.ts'
import { applyPolicies } from '../policies/apply-policies.ts'
import type { PolicyBook } from '../policies/policy-book.ts'
import { keyCounter } from './reset-counters.ts'

/** Returns the session to show. Policies that cannot be applied are ignored. */
export async function showSession(
  stored: Session,
  storedName: string,
  policies: PolicyBook,
  counters: CounterStore,
): Promise<Session> {
  const { session } = applyPolicies(stored, policies)
  const used = await counters.readQuota(keyCounter(storedName, ''))
  const shown: Session = {
    ...session,
    basicAuthData: { ...session.basicAuthData, password: '' },
    accessRights: await showRights(session.accessRights, storedName, counters),
  }
  // The counter is authoritative; the session stores only a copy (docs/reference/redis-layout.md#stored-sessions).
  if (used !== undefined) {
    shown.quotaRemaining = Math.max(0, session.quotaMax - used.used)
    shown.quotaRenews = renewsOf(used, session.quotaRenews)
  }
  return shown
}

async function showRights(
  rights: Session['accessRights'],
  storedName: string,
  counters: CounterStore,
): Promise<Session['accessRights']> {
  if (rights === null) return null
  const shown: Record<string, AccessRight> = Object.create(null)
  for (const [apiId, right] of Object.entries(rights)) {
    shown[apiId] = right
    if (right.limit.quotaMax <= 0) continue
    const state = await counters.readQuota(keyCounter(storedName, right.allowanceScope))
    const { quotaMax } = right.limit
    const quotaRemaining = state === undefined ? quotaMax : Math.max(0, quotaMax - state.used)
    const quotaRenews = state === undefined ? right.limit.quotaRenews : renewsOf(state, right.limit.quotaRenews)
    shown[apiId] = { ...right, limit: { ...right.limit, quotaRemaining, quotaRenews } }
  }
  return shown
}

/** End of the quota period in Unix seconds: from the counter, or else the stored value. */
function renewsOf({ renewsAt }: QuotaState, stored: number): number {
  return renewsAt === undefined ? stored : unixSeconds(renewsAt)
}
