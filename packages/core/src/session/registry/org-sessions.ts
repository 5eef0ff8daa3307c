/**
 * Reads and writes sessions of organisations. They are stored even if `enforce_org_quotas` is off, and no field is
 * required. Source: docs/reference/organisation-sessions.md#organisation-enforcement.
 */
import { unixSeconds } from '../../lib/text/time.ts'
import type { Session } from '../../ports/session.ts'
import type { CounterId } from '../../ports/store.ts'
import { makeKeyLock } from './key-lock.ts'
import type { KeyRegistryDependencies } from './key-registry-types.ts'

export interface OrgSessions {
  /** Returns the session with its remaining quota; `undefined`: the organisation has none. */
  read(orgId: string): Promise<Session | undefined>
  /** Stores or replaces the session. `resetQuota` clears its counter; otherwise the counter continues. */
  put(orgId: string, session: Session, resetQuota: boolean): Promise<void>
  /** Removes the session. Returns whether it existed. */
  remove(orgId: string): Promise<boolean>
  /** Returns the ids of organisations that start with the prefix, sorted. */
  list(prefix: string): Promise<string[]>
}

export function makeOrgSessions(parts: KeyRegistryDependencies): OrgSessions {
  const { clock, log } = parts
  const { organisations, counters } = parts.store
  const lock = makeKeyLock()

  async function notifyChange(orgId: string): Promise<void> {
    parts.orgs.forget(orgId)
    await parts.signals.publish({ kind: 'org-changed', orgId }).catch((error: unknown) => {
      log.warn('cannot notify other nodes of a changed organisation', { org: orgId, reason: String(error) })
    })
  }

  return {
    async read(orgId) {
      const stored = await organisations.get(orgId)
      if (stored === undefined) return undefined
      const { session } = stored
      const state = await counters.readQuota(orgCounter(orgId))
      if (state === undefined || session.quotaMax <= 0) return session
      const quotaRemaining = Math.max(0, session.quotaMax - state.used)
      const quotaRenews = state.renewsAt === undefined ? session.quotaRenews : unixSeconds(state.renewsAt)
      return { ...session, quotaRemaining, quotaRenews }
    },

    put(orgId, given, resetQuota) {
      return lock.hold(orgId, async () => {
        const now = unixSeconds(clock.now())
        const session = { ...given, lastUpdated: String(now) }
        if (resetQuota) {
          session.quotaRenews = now + session.quotaRenewalRate
          await counters.resetQuotas([orgCounter(orgId)])
          await counters.unblock([orgCounter(orgId)])
        }
        await organisations.put(orgId, session)
        await notifyChange(orgId)
      })
    },

    remove(orgId) {
      return lock.hold(orgId, async () => {
        const removed = await organisations.remove(orgId)
        await notifyChange(orgId)
        return removed
      })
    },

    async list(prefix) {
      return [...(await organisations.list(prefix))].sort()
    },
  }
}

const orgCounter = (orgId: string): CounterId => ({ subject: orgId, kind: 'organisation', scope: '', endpoint: '' })
