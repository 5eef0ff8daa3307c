/**
 * Batches decisions about counters: all requests of one event loop iteration share one script call, and therefore its
 * cost in this process, on the network and in Redis. A single request is sent without delay.
 * Measured: docs/decisions/0013-a-decision-over-redis.md.
 *
 * In a cluster each decision is its own call, because counters of different subjects are in different hash slots.
 */
import type { Maybe } from '@turnpike/core/lib'
import { type EndCommand, errorNameOf } from './observe-commands.ts'
import type { RedisConnection } from './redis-connection.ts'
import { decide } from './scripts/decide.ts'

/** A decision to make; the kinds are those of `scripts/decide.ts`. */
export interface DecisionRequest {
  readonly kind: 'quota' | 'quota-without-lock' | 'rate' | 'both'
  readonly keys: readonly string[]
  readonly args: readonly (string | number)[]
}

/** The reply to a decision. Numbers that do not belong to its kind are 0. */
export interface DecisionReply {
  /** Result of the rate: 1 or 0; -1: Redis is in another fixed window, and nothing was counted. Retry. */
  readonly allowed: number
  /** Number of requests that the rate had counted before this one. */
  readonly before: number
  /** Milliseconds until `resetAt` of the result. */
  readonly opensInMs: number
  /** The time of Redis in ms, if `allowed` is -1. */
  readonly redisNow: number
  /** Count of the quota; -1: another node holds its lock, retry. */
  readonly count: number
  /** Remaining time of the quota period; -1: it has no end. */
  readonly leftMs: number
}

export interface Decisions {
  /** Rejects with `StoreUnavailableError` if Redis is unavailable, and with another error if a counter is not a number. */
  submit<T>(request: DecisionRequest, read: (reply: DecisionReply) => Maybe<T>): Promise<T>
}

interface Entry {
  readonly request: DecisionRequest
  readonly read: (reply: DecisionReply) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (cause: unknown) => void
  /** Ends the observation of the decision. */
  readonly end: EndCommand | undefined
}

/** Another program stored something else under the name of a counter. */
export const noNumber = () => new Error('a counter in Redis is not a number')

/** Maximum decisions per call. A call blocks Redis for about 5 µs per decision. */
const maxBatch = 100
const linesEach = 5

export function makeDecisions(connection: RedisConnection): Decisions {
  const { atTurnEnd } = connection.timers
  const batchSize = connection.isCluster || atTurnEnd === undefined ? 1 : maxBatch
  let waiting: Entry[] = []

  const send = async (entries: readonly Entry[]) => {
    const keys: string[] = []
    const args: (string | number)[] = []
    for (const { request } of entries) {
      keys.push(...request.keys)
      args.push(request.kind, ...request.args)
    }
    try {
      const lines = String(await connection.run(decide, keys, args, entries.length)).split('\n')
      endAll(entries, undefined)
      for (let i = 0; i < entries.length; i++) settle(entries[i] as Entry, lines, i * linesEach)
    } catch (cause) {
      endAll(entries, errorNameOf(cause))
      for (const { reject } of entries) reject(cause)
    }
  }

  const settle = ({ read, resolve, reject }: Entry, lines: readonly string[], at: number) => {
    const allowed = Number(lines[at])
    if (Number.isNaN(allowed)) {
      const reason = String(lines[at])
      reject(reason === 'no number' ? noNumber() : connection.errorOf(reason))
      return
    }
    const before = Number(lines[at + 1])
    // The third number has two meanings, see `consumeRate` in scripts/rate-rules.ts.
    const third = Number(lines[at + 2])
    const opensInMs = allowed === -1 ? 0 : third
    const redisNow = allowed === -1 ? third : 0
    const count = Number(lines[at + 3])
    try {
      resolve(read({ allowed, before, opensInMs, redisNow, count, leftMs: Number(lines[at + 4]) }))
    } catch (cause) {
      reject(cause)
    }
  }

  const flush = () => {
    const entries = waiting
    waiting = []
    for (let i = 0; i < entries.length; i += maxBatch) void send(entries.slice(i, i + maxBatch))
  }

  return {
    submit<T>(request: DecisionRequest, read: (reply: DecisionReply) => Maybe<T>) {
      return new Promise<T>((resolve, reject) => {
        const entry: Entry = {
          request,
          read,
          resolve: resolve as (value: unknown) => void,
          reject,
          end: connection.observer?.started(),
        }
        if (batchSize === 1) void send([entry])
        else if (waiting.push(entry) === 1) atTurnEnd?.(flush)
      })
    },
  }
}

/** Each decision is observed for its own request, although they share the command. */
function endAll(entries: readonly Entry[], error: string | undefined): void {
  const batchSize = entries.length > 1 ? entries.length : undefined
  for (const { end } of entries) end?.({ operation: 'EVALSHA', script: decide.sha, batchSize, error })
}
