/**
 * Resets the counters of a changed key.
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

/** Identifies the counter of a key in a scope. */
export function keyCounter(storedName: string, scope: string): CounterId {
  return { subject: storedName, kind: 'key', scope, endpoint: '' }
}

/** Identifies all quotas of a session: its own, and one for each scope. */
export function quotaCountersOf(storedName: string, session: Session): CounterId[] {
  const scopes = new Set([''])
  for (const right of Object.values(session.accessRights ?? {})) scopes.add(right.allowanceScope)
  return [...scopes].map((scope) => keyCounter(storedName, scope))
}

/**
 * Returns whether a change of the key resets its quotas: false only if all APIs of the key set
 * `dont_set_quota_on_create`. An API that is not loaded counts as not setting it.
 */
export function wantsReset(concerned: readonly (ApiDefinition | undefined)[]): boolean {
  return concerned.length === 0 || concerned.some((api) => api === undefined || !api.document.dontSetQuotaOnCreate)
}
