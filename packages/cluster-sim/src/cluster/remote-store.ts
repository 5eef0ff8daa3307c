/**
 * A store on the other side of the network: each call of a store method is a request and a reply, with a deadline. The
 * store executes the method, so a lost reply does not undo it.
 */
import { type Maybe, type Store, StoreUnavailableError } from '@turnpike/core'
import type { Line } from './line.ts'

/** The store did not reply in time. It may or may not have executed the call. */
export class StoreSilent extends StoreUnavailableError {
  constructor(verb: string) {
    super(`the store did not answer ${verb} in time`)
    this.name = 'StoreSilent'
  }
}

type Verb = (...args: unknown[]) => Maybe<unknown>

/** Synchronous methods of a local store are not available remotely. */
const localOnly = new Set(['sweepable'])

export function makeRemoteStore(store: Store, { timers, deadlineMs, reach }: Line): Store {
  const ask = (name: string, work: () => Maybe<unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const cancel = timers.after(deadlineMs, () => reject(new StoreSilent(name)))
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          cancel()
          settle(value)
        }
      reach(work).then(settled(resolve), settled(reject))
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
    organisations: remote('organisations', store.organisations),
    counters: remote('counters', store.counters),
    responses: remote('responses', store.responses),
    records: remote('records', store.records),
    check: () =>
      ask('check', () => ({ ok: true as const })).then(
        () => ({ ok: true as const }),
        (cause: Error) => ({ ok: false as const, reason: cause.message }),
      ),
    close: () => Promise.resolve(),
  }
}
