/**
 * The counters that a change of a key resets, and whether it does.
 * Source: docs/reference/key-management.md#quota-reset, docs/reference/redis-layout.md#stored-sessions.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { Session } from '../../ports/session.ts'
import type { CounterId, CounterStore } from '../../ports/store.ts'

/** Resets the quotas of the session and of each scope in its rights, and removes the blocked flag of its rate. */
export async function resetCounters(counters: CounterStore, storedName: string, session: Session): Promise<void> {
  await counters.resetQuotas(quotaCountersOf(storedName, session))
  await counters.unblock([keyCounter(storedName, '')])
}

/** The counter of a key in a scope. */
export function keyCounter(storedName: string, scope: string): CounterId {
  return { subject: storedName, kind: 'key', scope, endpoint: '' }
}

/** All quotas that a session can have: its own, and one for each scope. */
export function quotaCountersOf(storedName: string, session: Session): CounterId[] {
  const scopes = new Set([''])
  for (const right of Object.values(session.accessRights ?? {})) scopes.add(right.allowanceScope)
  return [...scopes].map((scope) => keyCounter(storedName, scope))
}

/**
 * Whether a change of the key starts its quotas anew: unless every API concerned says `dont_set_quota_on_create`.
 * An API that is not loaded cannot say so.
 */
export function wantsReset(concerned: readonly (ApiDefinition | undefined)[]): boolean {
  return concerned.length === 0 || concerned.some((api) => api === undefined || !api.document.dontSetQuotaOnCreate)
}
