/**
 * The store of the simulation and how nodes reach it. A store in memory is called method by method.
 * A store with commands, such as Redis, has an adapter on each node, and each command crosses the network separately;
 * the caller provides it (`RunOptions.makeServer`), since this package does not depend on adapters.
 */
import type { Maybe } from '@turnpike/core/lib'
import { type Store, StoreUnavailableError } from '@turnpike/core/ports'
import type { StoreConnection } from './store-connection.ts'

export interface StoreServer {
  /** Direct access without the network, used to write the initial data of a run. */
  readonly beside: Store
  /** The store as a node reaches it, from its start until it crashes. */
  connect(connection: StoreConnection): Store
  /** Replaces the primary by its replica. Absent: the store has no replica. */
  promote?(): void
  /** Called when the run is over. */
  close?(): Promise<void>
}

/** A server for a store whose methods are executed as a whole. */
export function serverOf(store: Store): StoreServer {
  return { beside: store, connect: (connection) => makeRemoteStore(store, connection), close: () => store.close() }
}

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

/** Each call of a method is a request and a reply, with a deadline. The store executes the method, so a lost reply does not undo it. */
function makeRemoteStore(store: Store, { timers, deadlineMs, reach }: StoreConnection): Store {
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
