/**
 * The keyring over a store. Keys in memory are found without a promise and without an allocation; others are read,
 * once for all who ask at the same time. Nothing is served that this node has heard to be changed: entries die by
 * `forget`, by `renew`, when the store's lifetime of the session passes, and after `cachedForMs` where others write to
 * the store as well.
 * A key that is not there is not remembered: it may be made at any moment, on any node.
 */
import { isPromise, type Maybe } from '../../lib/maybe.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { Store } from '../../ports/store.ts'
import { candidateNames, storedNameOf } from '../names/key-name.ts'
import type { PolicyBook } from '../policies/policy-book.ts'
import { KeepRule } from './keep-rule.ts'
import { KeyCache } from './key-cache.ts'
import { makeKeyTemplates } from './key-templates.ts'
import { makeKeyedLoads } from './keyed-loads.ts'
import type { KeyEntry, Keyring } from './keyring.ts'
import { makeKeyEntry } from './make-key-entry.ts'
import { makeStoredKeyFinder, type StoredKey } from './stored-key.ts'

export interface KeyringParts {
  readonly store: Pick<Store, 'sessions'>
  readonly settings: GatewaySettings
  /** The policies in force now. */
  readonly policies: () => PolicyBook
  readonly clock: Clock
  readonly log: Log
}

/** About a hundred thousand keys of the usual kind. */
const defaultBytes = 96 * 2 ** 20
export function makeKeyring({ store, settings, policies, clock, log }: KeyringParts): Keyring {
  const { keys } = settings
  const cache = new KeyCache(keys.cachedSessions, keys.cachedSessionBytes ?? defaultBytes)
  const rule = new KeepRule(keys.cachedSessions, store.sessions.outline !== undefined)
  const loads = makeKeyedLoads<KeyEntry | undefined>()
  const templates = makeKeyTemplates(settings, policies)
  const findStored = makeStoredKeyFinder(store.sessions, keys)

  const prepare = (stored: StoredKey, orgId: string): KeyEntry => {
    const entry = makeKeyEntry(stored, templates.of(stored.outline, orgId))
    if (entry.policyProblem !== undefined) {
      log.warn('the policies of a key cannot be applied', { key: entry.logName, reason: entry.policyProblem })
    }
    return entry
  }

  const { cachedForMs = Number.POSITIVE_INFINITY } = keys
  const keep = (orgId: string, credential: string, entry: KeyEntry, { outline }: StoredKey) => {
    const goneAt = outline.goneAt ?? Number.POSITIVE_INFINITY
    cache.set(orgId, credential, entry, Math.min(goneAt, clock.now() + cachedForMs), outline.bytes)
  }

  const load = (credential: string, orgId: string): Maybe<KeyEntry | undefined> => {
    const running = loads.isIdle ? undefined : loads.get(questionOf(credential, orgId))
    if (running !== undefined) return running
    const stored = findStored(credential, orgId)
    if (isPromise(stored)) return loadSlowly(credential, orgId, stored)
    if (stored === undefined) return undefined
    const entry = prepare(stored, orgId)
    if (rule.keeps(credential, stored.outline, cache.size)) keep(orgId, credential, entry, stored)
    if (rule.isInTheWay()) cache.clear()
    return entry
  }

  const loadSlowly = (
    credential: string,
    orgId: string,
    source: Promise<StoredKey | undefined>,
  ): Promise<KeyEntry | undefined> => {
    let found: StoredKey | undefined
    const prepared = source.then((stored) => {
      found = stored
      return stored && prepare(stored, orgId)
    })
    const names = candidateNames(credential, orgId, keys).map((name) => storedNameOf(name, keys.hashKeys))
    return loads.run(questionOf(credential, orgId), names, prepared, (entry) => {
      if (entry !== undefined && found !== undefined) keep(orgId, credential, entry, found)
    })
  }

  return {
    find(credential, orgId) {
      const kept = cache.get(orgId, credential, clock)
      if (kept === undefined) return load(credential, orgId)
      rule.noteFound()
      return kept
    },
    forget(storedName) {
      cache.forget(storedName)
      loads.overtake(storedName)
    },
    renew() {
      cache.clear()
      rule.renew()
      templates.clear()
      loads.overtakeAll()
    },
  }
}

const questionOf = (credential: string, orgId: string) => `${orgId.length}:${orgId}${credential}`
