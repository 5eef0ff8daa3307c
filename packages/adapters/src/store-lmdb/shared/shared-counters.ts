/**
 * Counters of several processes in one LMDB environment. All decisions of an event loop iteration are one transaction, so
 * that processes count in one order and the lock is taken once for many requests. A decision is returned after the commit.
 * If a process is killed inside a transaction, LMDB frees the lock and drops the changes.
 */
import type { Maybe } from '@turnpike/core/lib'
import type { Clock, CounterStore } from '@turnpike/core/ports'
import {
  CounterEncoder,
  type CounterOperations,
  type CounterState,
  decodeCounter,
  makeCounterOperations,
} from '@turnpike/core/store-memory'
import { type CountersDatabase, readNumber, writeNumber } from './counters-environment.ts'
import type { NumberedQuota } from './quota-logs.ts'
import { TurnQueue } from './turn-queue.ts'

export interface SharedCountersOptions {
  readonly database: CountersDatabase
  readonly clock: Pick<Clock, 'now'>
  /** Called after the commit with the state of each quota that this process changed. */
  readonly onQuotaChange: (key: string, state: NumberedQuota) => void
  /** Runs a transaction; rejects with `StoreUnavailableError` if the disk does not accept it. */
  readonly guard: <T>(write: () => Promise<T>) => Promise<T>
  /** Calls `fn` at the end of the event loop iteration. Default: `setImmediate`. */
  readonly atTurnEnd?: (fn: () => void) => void
}

export interface SharedCounters extends CounterStore {
  /** Resolves when all decisions so far have been returned. */
  settled(): Promise<void>
}

export function makeSharedCounters(options: SharedCountersOptions): SharedCounters {
  const { database, clock, onQuotaChange, guard, atTurnEnd = setImmediate } = options
  const encoder = new CounterEncoder()
  // The types of the library do not allow names as keys, which `nameEncoder` accepts.
  const read = database.getBinaryFast.bind(database) as unknown as (key: string) => Uint8Array | undefined
  const write = database.put.bind(database) as unknown as (key: string, value: Uint8Array) => void
  const find = (key: string): CounterState | undefined => {
    const bytes = read(key)
    return bytes === undefined ? undefined : decodeCounter(bytes)
  }
  /** The counters of the current transaction, decoded at their first use, and those of them whose quota changed. */
  const states = new Map<string, CounterState>()
  const quotas = new Map<string, CounterState>()
  const changes = makeCounterOperations(
    {
      get(key) {
        const state = states.get(key) ?? find(key)
        if (state !== undefined) states.set(key, state)
        return state
      },
      set: (key, state) => void states.set(key, state),
    },
    clock,
    (key, state) => {
      markReset(state)
      quotas.set(key, state)
    },
  )
  const reads = makeCounterOperations(
    {
      get(key) {
        // The library keeps a snapshot for about a millisecond, which hides what another process has counted since.
        database.resetReadTxn()
        return find(key)
      },
      set() {},
    },
    clock,
    undefined,
  )
  /** Runs the changes in one transaction and returns the quotas that it changed. */
  const commit = (run: () => void): [key: string, state: NumberedQuota][] => {
    states.clear()
    quotas.clear()
    return database.transactionSync(() => {
      run()
      for (const [key, state] of states) write(key, encoder.encode(state))
      const number = readNumber(database) + 1
      writeNumber(database, number)
      return Array.from(quotas, ([key, { used, renewsAt }]) => [key, { used, renewsAt, number }])
    })
  }
  const queue = new TurnQueue(async (run) => {
    for (const [key, state] of await guard(async () => commit(run))) onQuotaChange(key, state)
  }, atTurnEnd)

  return {
    consume: (counter, amount): Maybe<ReturnType<CounterOperations['consume']>> =>
      amount === 0 ? reads.consume(counter, 0) : queue.add(() => changes.consume(counter, amount)),
    readQuota: (id) => reads.readQuota(id),
    resetQuotas: (ids) => queue.add(() => changes.resetQuotas(ids)),
    unblock: (ids) => queue.add(() => changes.unblock(ids)),
    settled: () => queue.settled(),
  } satisfies SharedCounters
}

/**
 * A quota that was reset stays in the environment and in the logs, so that an older entry in the log of another process
 * cannot restore its count. If it had no end, the end 0 marks it, which the sweep leaves alone.
 */
function markReset(state: CounterState): void {
  if (state.used === 0 && state.renewsAt === undefined) state.renewsAt = 0
}

export const isResetMark = ({ used, renewsAt }: CounterState) => used === 0 && renewsAt === 0
