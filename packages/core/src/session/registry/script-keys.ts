/**
 * What scripts do with sessions: they show them, store them under a name of their choice, and change their data
 * (docs/reference/scripts.md#script-helpers, docs/reference/scripts.md#authentication-scripts).
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { formatRfc3339 } from '../../lib/text/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { type AccessRight, accessRightShape, type Session } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { Signals } from '../../ports/signals.ts'
import type { Store } from '../../ports/store.ts'
import type { CachedKey } from '../cached-key.ts'
import { storedNameOf } from '../names/key-name.ts'
import { applyPolicies } from '../policies/apply-policies.ts'
import type { PolicyBook } from '../policies/policy-book.ts'
import type { SessionCache } from '../session-cache.ts'
import { toWireSession } from '../session-json.ts'
import type { KeyLock } from './key-lock.ts'
import { locateKey } from './locate-key.ts'
import { prepareSave, type ReadyToSave, type SaveRequest } from './prepare-save.ts'
import { resetCounters } from './reset-counters.ts'
import { showSession } from './show-session.ts'
import { makeUnnamedKeys } from './unnamed-key.ts'

export interface ScriptKeyDependencies {
  readonly store: Pick<Store, 'sessions' | 'counters'>
  readonly signals: Pick<Signals, 'publish'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly settings: GatewaySettings
  policies(): PolicyBook
  apis(): readonly ApiDefinition[]
  readonly sessionCache: Pick<SessionCache, 'forget' | 'findNamed'>
  readonly keyLock: KeyLock
}

/** A session in the form that the management API shows. */
type WireSession = Readonly<Record<string, unknown>>

export interface ScriptKeys {
  /** The session of the request's key, with what is left of its quotas. */
  show(key: CachedKey): Promise<WireSession>
  /** The session of any key; `undefined`: there is none. */
  read(name: string, orgId: string): Promise<WireSession | undefined>
  /** Stores a session under exactly this name. Returns false if it has no rights or its policies cannot be applied. */
  store(keyName: string, session: Session, keepsQuota: boolean): Promise<boolean>
  /** Replaces the data (`meta_data`) of a stored session. */
  changeData(storedName: string, data: Session['metaData']): Promise<void>
  /**
   * Stores the session that a script authenticated, unless it is stored already. Without a key name it stores nothing,
   * and the counters belong to the API. `undefined`: the policies of the session cannot be applied.
   */
  authenticate(keyName: string, session: Session, api: ApiDefinition): Promise<CachedKey | undefined>
}

export function makeScriptKeys(parts: ScriptKeyDependencies): ScriptKeys {
  const { store, settings, clock, log, sessionCache, keyLock: lock } = parts
  const { sessions, counters } = store
  const makeUnnamedKey = makeUnnamedKeys(parts)

  const announce = async (storedName: string): Promise<void> => {
    sessionCache.forget(storedName)
    // The write is complete. A node that misses the signal follows when its own copy expires.
    await parts.signals.publish({ kind: 'key-changed', storedName }).catch((cause: unknown) => {
      log.warn('a changed session could not be published to other nodes', { reason: String(cause) })
    })
  }

  const prepare = (request: SaveRequest): ReadyToSave | undefined => {
    const apis = parts.apis()
    const findApi = (id: string) => apis.find((api) => api.id === id)
    const ready = prepareSave(request, { now: clock.now(), settings, policies: parts.policies(), apis, findApi })
    return ready.kind === 'ready' ? ready : undefined
  }

  const save = async (storedName: string, { session, lifetimeMs, reset }: ReadyToSave): Promise<void> => {
    if (reset) await resetCounters(counters, storedName, session)
    await sessions.put(storedName, session, lifetimeMs)
    await announce(storedName)
  }

  /** `isSame`: returns true if the stored session need not be written again. */
  const put = (
    storedName: string,
    given: Session,
    keepsQuota: boolean,
    isSame: (stored: Session, ready: Session) => boolean,
  ): Promise<boolean> =>
    lock.hold(storedName, async () => {
      const stored = (await sessions.get(storedName))?.session
      const { session } = applyPolicies(given, parts.policies())
      const dated = { ...session, dateCreated: stored?.dateCreated ?? formatRfc3339(clock.now()) }
      const ready = prepare({ session: dated, stored, suppressReset: keepsQuota, keepsPeriod: true })
      if (ready === undefined) return false
      if (stored === undefined || !isSame(stored, ready.session)) await save(storedName, ready)
      return true
    })

  return {
    async show(key) {
      return toWireSession(await showSession(key.session, key.storedName, parts.policies(), counters))
    },
    async read(name, orgId) {
      const key = await locateKey({ name, orgId }, sessions, settings.keys)
      return key && toWireSession(await showSession(key.session, key.storedName, parts.policies(), counters))
    },
    store: (keyName, session, keepsQuota) =>
      put(storedNameOf(keyName, settings.keys.hashKeys), session, keepsQuota, () => false),
    changeData: (storedName, data) =>
      lock.hold(storedName, async () => {
        const stored = await sessions.get(storedName)
        if (stored === undefined) return
        const { session, storedUntil } = stored
        // Nothing else changes, so it is stored as long as before.
        const lifetimeMs = storedUntil === undefined ? undefined : Math.max(1, storedUntil - clock.now())
        await sessions.put(storedName, { ...session, metaData: data }, lifetimeMs)
        await announce(storedName)
      }),
    async authenticate(keyName, given, api) {
      const session = withRights(given, api)
      if (keyName === '') return makeUnnamedKey(session, api)
      const storedName = storedNameOf(keyName, settings.keys.hashKeys)
      const isStored = await put(storedName, session, true, isSameSession)
      return isStored ? await sessionCache.findNamed(keyName, api.orgId) : undefined
    },
  }
}

/** A session without any rights may use the API whose script made it, and only that one. */
function withRights(session: Session, { id, name, versions }: ApiDefinition): Session {
  if (Object.keys(session.accessRights ?? {}).length > 0) return session
  const right: AccessRight = { ...accessRightShape.zero(), apiId: id, apiName: name, versions: [...versions.keys()] }
  return { ...session, accessRights: { [id]: right } }
}

/** Compares what a script decides; dates and counters change by themselves. */
function isSameSession(stored: Session, made: Session): boolean {
  const steady = (session: Session) => ({
    ...session,
    ...{ lastUpdated: '', dateCreated: '', lastCheck: 0, allowance: 0, quotaRenews: 0, quotaRemaining: 0 },
  })
  return JSON.stringify(toWireSession(steady(stored))) === JSON.stringify(toWireSession(steady(made)))
}
