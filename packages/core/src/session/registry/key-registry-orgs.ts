/**
 * Sessions of organisations over the store. They are stored whatever `enforce_org_quotas` says, and nothing in them is
 * required. Source: docs/reference/organisation-sessions.md#organisation-enforcement.
 */
import { unixSeconds } from '../../lib/text/time.ts'
import type { Session } from '../../ports/session.ts'
import type { CounterId } from '../../ports/store.ts'
import { makeKeyLock } from './key-registry-lock.ts'
import type { KeyRegistryParts } from './key-registry-parts.ts'

export interface OrgSessions {
  /** The session with what is left of its quota; `undefined`: the organisation has none. */
  read(orgId: string): Promise<Session | undefined>
  /** Stores or replaces. `resetQuota` clears its counter, else the count goes on. */
  put(orgId: string, session: Session, resetQuota: boolean): Promise<void>
  /** Tells whether there was one. */
  remove(orgId: string): Promise<boolean>
  /** Organisations whose id begins with the prefix, sorted. */
  list(prefix: string): Promise<string[]>
}

export function makeOrgSessions(parts: KeyRegistryParts): OrgSessions {
  const { clock, log } = parts
  const { organisations, counters } = parts.store
  const lock = makeKeyLock()

  async function tell(orgId: string): Promise<void> {
    parts.orgs.forget(orgId)
    await parts.signals.publish({ kind: 'org-changed', orgId }).catch((error: unknown) => {
      log.warn('other nodes could not be told of a changed organisation', { org: orgId, reason: String(error) })
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
        await tell(orgId)
      })
    },

    remove(orgId) {
      return lock.hold(orgId, async () => {
        const removed = await organisations.remove(orgId)
        await tell(orgId)
        return removed
      })
    },

    async list(prefix) {
      return [...(await organisations.list(prefix))].sort()
    },
  }
}

const orgCounter = (orgId: string): CounterId => ({ subject: orgId, kind: 'organisation', scope: '', endpoint: '' })
