/**
 * Sessions of organisations, cached in memory. A missing session is cached too, because every request of the organisation
 * looks it up. Entries are evicted by a signal, and after `cachedForMs` if other nodes write to the store. While the store
 * is unavailable, the last known entry stays in use.
 */
import { isPromise, type Maybe, when } from '../lib/maybe.ts'
import { type Clock, hasCome, type Millis } from '../ports/clock.ts'
import type { Session } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import { type Counter, counterKey, type Store, type StoredSession, StoreUnavailableError } from '../ports/store.ts'
import { rateLimitOf } from './access/rate-limit-of.ts'
import { SingleFlight } from './single-flight.ts'

export interface OrgEntry {
  readonly session: Session
  readonly inactive: boolean
  readonly counter: Counter
  /** False when the session has access rights that lack the API. */
  opens(apiId: string): boolean
}

export interface OrgSessionCache {
  /** Finds the organisation's session; `undefined` if it has none. */
  find(orgId: string): Maybe<OrgEntry | undefined>
  forget(orgId: string): void
  forgetAll(): void
}

export interface OrgSessionCacheDependencies {
  readonly store: Pick<Store, 'organisations'>
  readonly settings: GatewaySettings
  readonly clock: Clock
}

interface Held {
  readonly entry: OrgEntry | undefined
  /** The entry is read again from this time on; Infinity: never. */
  readonly cachedUntil: Millis
}

/** Time between two reads of an organisation while the store is unavailable. */
const retryMs = 1000

export function makeOrgSessionCache({ store, settings, clock }: OrgSessionCacheDependencies): OrgSessionCache {
  const byOrg = new Map<string, Held>()
  const loads = new SingleFlight<Held>()
  const { cachedForMs = Number.POSITIVE_INFINITY } = settings.keys

  const toHeld = (orgId: string, stored: StoredSession | undefined): Held => {
    const cachedUntil = Math.min(stored?.storedUntil ?? Number.POSITIVE_INFINITY, clock.now() + cachedForMs)
    return { entry: stored && makeOrgEntry(orgId, stored.session, settings), cachedUntil }
  }

  /** Keeps the last known entry for `retryMs` if the store is unavailable. */
  const keepKnown = (known: Held | undefined, cause: unknown): Held => {
    if (known === undefined || !(cause instanceof StoreUnavailableError)) throw cause
    return { entry: known.entry, cachedUntil: clock.now() + retryMs }
  }

  const read = (orgId: string, known: Held | undefined): Maybe<Held> => {
    const held = when(store.organisations.get(orgId), (stored) => toHeld(orgId, stored))
    return isPromise(held) ? held.catch((cause: unknown) => keepKnown(known, cause)) : held
  }

  return {
    find(orgId) {
      const held = byOrg.get(orgId)
      if (held !== undefined && !hasCome(held.cachedUntil, clock)) return held.entry
      const loaded = loads.load(
        orgId,
        () => read(orgId, held),
        () => [orgId],
        (value) => byOrg.set(orgId, value),
      )
      return when(loaded, ({ entry }) => entry)
    },
    forget(orgId) {
      byOrg.delete(orgId)
      loads.overtake(orgId)
    },
    forgetAll() {
      byOrg.clear()
      loads.overtakeAll()
    },
  }
}

function makeOrgEntry(orgId: string, session: Session, settings: GatewaySettings): OrgEntry {
  const rights = session.accessRights
  const opensAll = rights === null || Object.keys(rights).length === 0
  const id = { subject: orgId, kind: 'organisation', scope: '', endpoint: '' } as const
  return {
    session,
    inactive: session.isInactive,
    counter: {
      ...id,
      id: counterKey(id),
      generation: session.lastUpdated,
      // Unlike the rate of a key, the rate of an organisation applies only with a period.
      rate: session.per > 0 ? rateLimitOf(session, settings.limits) : undefined,
      quota: session.quotaMax > 0 ? { max: session.quotaMax, renewalSeconds: session.quotaRenewalRate } : undefined,
    },
    opens: (apiId) => opensAll || Object.hasOwn(rights, apiId),
  }
}
