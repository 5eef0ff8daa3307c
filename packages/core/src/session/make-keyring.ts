/**
 * The keyring over a store. Keys in memory are found without a promise and without an allocation; others are read,
 * once for all who ask at the same time. Nothing is served that this node has heard to be changed: entries die by
 * `forget`, by `renew`, and when the store's lifetime of the session passes.
 * A key that is not there is not remembered: it may be made at any moment, on any node.
 */
import { type Maybe, when } from '../maybe.ts'
import type { Clock, Millis } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Store, StoredSession } from '../ports/store.ts'
import type { GatewaySettings } from '../settings.ts'
import { KeyCache } from './key-cache.ts'
import { candidateNames, storedNameOf } from './key-name.ts'
import { makeKeyedLoads } from './keyed-loads.ts'
import type { KeyEntry, Keyring } from './keyring.ts'
import { makeKeyEntry } from './make-key-entry.ts'
import { makePathPatterns } from './path-patterns.ts'
import type { PolicyBook } from './policy-book.ts'

export interface KeyringParts {
  readonly store: Pick<Store, 'sessions'>
  readonly settings: GatewaySettings
  /** The policies in force now. */
  readonly policies: () => PolicyBook
  readonly clock: Clock
  readonly log: Log
}

interface Candidate {
  readonly keyName: string
  readonly storedName: string
}

interface Found {
  readonly entry: KeyEntry
  readonly goneAt: Millis
}

export function makeKeyring({ store, settings, policies, clock, log }: KeyringParts): Keyring {
  const cache = new KeyCache(settings.keys.cachedSessions)
  const loads = makeKeyedLoads<Found | undefined>()
  const patterns = makePathPatterns(settings.routing)

  const prepare = (candidate: Candidate, stored: StoredSession, orgId: string): Found => {
    const entry = makeKeyEntry({
      ...candidate,
      session: stored.session,
      orgId,
      policies: policies(),
      settings,
      patterns,
    })
    if (entry.policyProblem !== undefined) {
      log.warn('the policies of a key cannot be applied', { key: entry.logName, reason: entry.policyProblem })
    }
    return { entry, goneAt: stored.goneAt ?? Number.POSITIVE_INFINITY }
  }

  const keep = (orgId: string, credential: string, found: Found | undefined) => {
    if (found !== undefined) cache.set(orgId, credential, found.entry, found.goneAt)
  }

  const load = (credential: string, orgId: string): Maybe<KeyEntry | undefined> => {
    const question = `${orgId.length}:${orgId}${credential}`
    const running = loads.get(question)
    if (running !== undefined) return running.then((found) => found?.entry)
    const candidates = candidatesFor(credential, orgId, settings)
    const found = when(firstStored(store.sessions, candidates), (hit) =>
      hit === undefined ? undefined : prepare(hit.candidate, hit.stored, orgId),
    )
    if (!(found instanceof Promise)) {
      keep(orgId, credential, found)
      return found?.entry
    }
    const names = candidates.map(({ storedName }) => storedName)
    return loads.run(question, names, found, (value) => keep(orgId, credential, value)).then((value) => value?.entry)
  }

  return {
    find: (credential, orgId) => cache.get(orgId, credential, clock.now()) ?? load(credential, orgId),
    forget(storedName) {
      cache.forget(storedName)
      loads.overtake(storedName)
    },
    renew() {
      cache.clear()
      loads.overtakeAll()
    },
  }
}

function candidatesFor(credential: string, orgId: string, { keys }: GatewaySettings): Candidate[] {
  return candidateNames(credential, orgId, keys).map((keyName) => ({
    keyName,
    storedName: storedNameOf(keyName, keys.hashKeys),
  }))
}

interface Hit {
  readonly candidate: Candidate
  readonly stored: StoredSession
}

/** The first candidate that is stored. A store that needs time is asked for all of them in one go. */
function firstStored(sessions: Store['sessions'], candidates: readonly Candidate[]): Maybe<Hit | undefined> {
  for (const [i, candidate] of candidates.entries()) {
    const stored = sessions.get(candidate.storedName)
    if (stored instanceof Promise) return firstAnswered(sessions, candidates.slice(i), stored)
    if (stored !== undefined) return { candidate, stored }
  }
  return undefined
}

async function firstAnswered(
  sessions: Store['sessions'],
  [first, ...others]: readonly Candidate[],
  answer: Promise<StoredSession | undefined>,
): Promise<Hit | undefined> {
  const answers = await Promise.all([answer, ...others.map(({ storedName }) => sessions.get(storedName))])
  for (const [i, candidate] of [first, ...others].entries()) {
    const stored = answers[i]
    if (stored !== undefined && candidate !== undefined) return { candidate, stored }
  }
  return undefined
}
