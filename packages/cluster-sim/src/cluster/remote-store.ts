/**
 * A store on the other side of the network: each verb is a question and an answer, with a deadline. The verbs are those
 * of any store, which carries them out where it stands; so an answer that is lost does not undo what was done.
 */
import type { Maybe, Store } from '@turnpike/core'
import type { Line } from './line.ts'

/** The store did not answer in time. Whether the verb was carried out is not known. */
export class StoreSilent extends Error {
  constructor(verb: string) {
    super(`the store did not answer ${verb} in time`)
    this.name = 'StoreSilent'
  }
}

type Verb = (...args: unknown[]) => Maybe<unknown>

/** What answers without a promise on the spot cannot do so from afar. */
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
