/**
 * A store on the other side of the network: each verb is a question and an answer, with a deadline. The verbs are those
 * of any store, which carries them out where it stands; so an answer that is lost does not undo what was done.
 */
import type { Clock, Maybe, Millis, Store } from '@turnpike/core'
import type { Network, Place } from '../world/network.ts'

/** The store did not answer in time. Whether the verb was carried out is not known. */
export class StoreSilent extends Error {
  constructor(verb: string) {
    super(`the store did not answer ${verb} in time`)
    this.name = 'StoreSilent'
  }
}

export interface RemoteStoreParts {
  /** Where the store stands. */
  readonly store: Store
  readonly at: Place
  /** Who asks. */
  readonly from: Place
  readonly network: Network
  /** Of the node that asks. */
  readonly clock: Clock
  readonly deadlineMs: Millis
  /** Whether the store answers at all at this moment. */
  isUp(): boolean
}

type Verb = (...args: unknown[]) => Maybe<unknown>

/** What answers without a promise on the spot cannot do so from afar. */
const localOnly = new Set(['outline', 'sweepable'])

export function makeRemoteStore(parts: RemoteStoreParts): Store {
  const { store, at, from, network, clock, deadlineMs } = parts

  const ask = (name: string, work: () => Maybe<unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(deadlineMs, () => reject(new StoreSilent(name)))
      const answer = (settle: () => void) =>
        network.send(at, from, () => {
          cancel()
          settle()
        })
      network.send(from, at, () => {
        if (!parts.isUp()) return
        let result: Maybe<unknown>
        try {
          result = work()
        } catch (cause) {
          answer(() => reject(cause))
          return
        }
        if (result instanceof Promise) result.then((value) => answer(() => resolve(value)), reject)
        else answer(() => resolve(result))
      })
    })

  const remote = <T extends object>(title: string, section: T): T => {
    const far: Record<string, Verb> = {}
    for (const [name, verb] of Object.entries(section)) {
      if (typeof verb !== 'function' || localOnly.has(name)) continue
      far[name] = (...args) => ask(`${title}.${name}`, () => (verb as Verb).apply(section, args))
    }
    return far as T
  }

  return {
    sessions: remote('sessions', store.sessions),
    orgSessions: remote('orgSessions', store.orgSessions),
    counters: remote('counters', store.counters),
    responses: remote('responses', store.responses),
    records: remote('records', store.records),
    lists: remote('lists', store.lists),
    check: () =>
      ask('check', () => ({ ok: true as const })).then(
        () => ({ ok: true as const }),
        (cause: Error) => ({ ok: false as const, reason: cause.message }),
      ),
    close: () => Promise.resolve(),
  }
}
