/**
 * Sessions of organisations over a store, kept in memory by organisation. Absence is remembered too, since every
 * request of an organisation asks; both end with a signal, for all APIs of the organisation at once.
 */
import { type Maybe, when } from '../../maybe.ts'
import type { Clock, Millis } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Store, StoredSession } from '../../ports/store.ts'
import type { GatewaySettings } from '../../settings.ts'
import type { CountedRate } from '../grants/grant.ts'
import { rateLimitOf } from '../grants/grant-rates.ts'
import { localRateName, orgCounterKey, quotaCounterName, rateCounterName } from '../names/counter-names.ts'
import type { Session } from '../session.ts'
import { makeKeyedLoads } from './keyed-loads.ts'
import type { OrgEntry, OrgRegistry } from './org-registry.ts'

export interface OrgRegistryParts {
  readonly store: Pick<Store, 'orgSessions'>
  readonly settings: GatewaySettings
  readonly clock: Clock
  readonly log: Log
}

interface Held {
  readonly entry: OrgEntry | undefined
  /** When the store forgets the session; Infinity: never. */
  readonly goneAt: Millis
}

export function makeOrgRegistry({ store, settings, clock }: OrgRegistryParts): OrgRegistry {
  const byOrg = new Map<string, Held>()
  const loads = makeKeyedLoads<Held>()

  const load = (orgId: string): Maybe<OrgEntry | undefined> => {
    const running = loads.get(orgId)
    if (running !== undefined) return running.then((held) => held.entry)
    const held = when(store.orgSessions.get(orgId), (stored) => holdOrg(orgId, stored, settings))
    if (held instanceof Promise) {
      return loads.run(orgId, [orgId], held, (value) => byOrg.set(orgId, value)).then(({ entry }) => entry)
    }
    byOrg.set(orgId, held)
    return held.entry
  }

  return {
    find(orgId) {
      const held = byOrg.get(orgId)
      if (held !== undefined && clock.now() < held.goneAt) return held.entry
      return load(orgId)
    },
    forget(orgId) {
      byOrg.delete(orgId)
      loads.overtake(orgId)
    },
  }
}

function holdOrg(orgId: string, stored: StoredSession | undefined, settings: GatewaySettings): Held {
  if (stored === undefined) return { entry: undefined, goneAt: Number.POSITIVE_INFINITY }
  return { entry: makeOrgEntry(orgId, stored.session, settings), goneAt: stored.goneAt ?? Number.POSITIVE_INFINITY }
}

function makeOrgEntry(orgId: string, session: Session, settings: GatewaySettings): OrgEntry {
  const key = orgCounterKey(orgId, settings.keys.hashKeys)
  const rights = session.accessRights
  const opensAll = rights === null || Object.keys(rights).length === 0
  return {
    session,
    inactive: session.isInactive,
    rate: orgRate(key, session, settings),
    quota:
      session.quotaMax > 0
        ? {
            name: quotaCounterName(key, ''),
            limit: { max: session.quotaMax, renewalSeconds: session.quotaRenewalRate },
          }
        : undefined,
    opens: (apiId) => opensAll || Object.hasOwn(rights, apiId),
  }
}

/** Unlike that of a key, the rate of an organisation needs a period as well (section 3). */
function orgRate(key: string, session: Session, settings: GatewaySettings): CountedRate | undefined {
  const limit = session.per > 0 ? rateLimitOf(session, settings.limits) : undefined
  if (limit === undefined) return undefined
  const name = rateCounterName(key, '')
  return { name: limit.algorithm === 'local' ? localRateName(name, session.lastUpdated) : name, limit }
}
