/**
 * The connection to Redis, which all commands use. Each call has a deadline. While Redis is unavailable
 * (`redis-availability.ts`), calls reject with `StoreUnavailableError` at once instead of being queued.
 *
 * In a cluster, a call without a reply makes one master unavailable (`cluster-master-outages.ts`), and the cluster is unavailable
 * only without a connection.
 */
import { type Log, type StoreHealth, StoreUnavailableError } from '@turnpike/core/ports'
import { Cluster, Redis } from 'ioredis'
import { reasonOf } from '../service-connection/service-connection.ts'
import { makeCallDeadlines } from './call-deadlines.ts'
import { makeMasterOutages } from './cluster-master-outages.ts'
import { makeRedisClient, type RedisClient, type RedisConnectionOptions } from './connection-options.ts'
import { observeCommand, observeScript, type StoreObserver } from './observe-commands.ts'
import { RedisAvailability } from './redis-availability.ts'
import { RejectedWrites } from './rejected-writes.ts'
import { ScriptCommand } from './script-command.ts'
import type { Script } from './scripts/script.ts'
import { processTimers, type Timers } from './timers.ts'

export interface RedisConnection {
  /**
   * Calls `send` with the client. Rejects with `StoreUnavailableError` if Redis does not reply in time. If Redis is known to be
   * unavailable, it rejects without calling `send`. `key`: the key that the call uses. In a cluster, only the outage of
   * its master concerns the call.
   */
  call<T>(send: (client: RedisClient) => Promise<T>, key?: string): Promise<T>
  /**
   * Runs a script by its hash, or with its text if the server does not have it. `carries`: the number of calls that this
   * one contains, for the metrics; the caller then observes each of them. Default: one, which is observed.
   */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[], carries?: number): Promise<unknown>
  /** Converts the text of a Redis error inside a reply to the error of a failed call. */
  errorOf(text: string): Error
  readonly isCluster: boolean
  readonly observer: StoreObserver | undefined
  /** Timers for waiting on this connection. */
  readonly timers: Timers
  /** Returns the keys of all masters that match a glob pattern. */
  scan(pattern: string): Promise<string[]>
  /** Calls `fn` each time Redis becomes available, including the first time. */
  onReady(fn: () => void): void
  /** Resolves when Redis is available, or after `maxMs`. */
  ready(maxMs: number): Promise<void>
  /** Checks that Redis accepts writes, by writing a key of this name. */
  check(name: string): Promise<StoreHealth>
  /** For metrics. */
  counts(): ConnectionCounts
  close(): Promise<void>
}

export interface ConnectionCounts {
  /** True if Redis, or each master of a cluster, is available. */
  readonly up: boolean
  /** Calls that failed because Redis was unavailable, since the start. */
  readonly rejected: number
  /** Number of outages since the start, of Redis or of masters. */
  readonly outages: number
}

export interface OpenRedisOptions {
  /** Connection options, or a client, which `close` closes. */
  readonly redis: RedisConnectionOptions | RedisClient
  readonly log: Log
  /** Deadline of a call in ms. Default: 1000. */
  readonly callMs?: number
  /** Default: timers of the process. */
  readonly timers?: Timers
  /** Observes commands of requests. Absent: nobody does. */
  readonly observer?: StoreObserver | undefined
}

const scanPage = 1000
const checkLifeSeconds = 10

export function openRedisConnection(options: OpenRedisOptions): RedisConnection {
  const { redis, log, callMs = 1000, timers = processTimers, observer } = options
  const client = 'addresses' in redis ? makeRedisClient(redis, 'data') : redis
  let [closed, rejected] = [false, 0]
  const timeoutError = () => new StoreUnavailableError(`no reply in ${callMs} ms`)
  const deadlines = makeCallDeadlines(callMs, timeoutError, timers)
  const masters = client instanceof Cluster ? makeMasterOutages(client, deadlines, timers, log) : undefined
  const availability = new RedisAvailability({ client, sendsPing: masters === undefined, deadlines, timers, log })

  const writes = new RejectedWrites(log)
  const unavailable = (reason: string, calls = 1) => {
    rejected += calls
    writes.failed(reason)
    return new StoreUnavailableError(`Redis is unavailable: ${reason}`)
  }

  async function sendNow<T>(send: (client: RedisClient) => Promise<T>, carries: number, key?: string): Promise<T> {
    try {
      return await deadlines.watch(send(client))
    } catch (cause) {
      if (isCallError(cause)) throw cause
      const reason = reasonOf(cause)
      if (client.status !== 'ready') availability.markUnavailable(reason)
      else if (cause instanceof StoreUnavailableError) {
        if (masters === undefined) availability.markUnavailable(reason)
        else if (key !== undefined) masters.add(key, reason)
      }
      throw unavailable(reason, carries)
    }
  }
  const callFor = <T>(send: (client: RedisClient) => Promise<T>, carries: number, key?: string): Promise<T> => {
    if (closed) return Promise.reject(unavailable('the gateway is closing', carries))
    const reason = availability.reason ?? (key === undefined ? undefined : masters?.reasonFor(key))
    return reason === undefined ? sendNow(send, carries, key) : Promise.reject(unavailable(reason, carries))
  }
  const call: RedisConnection['call'] =
    observer === undefined
      ? (send, key) => callFor(send, 1, key)
      : (send, key) => observeCommand(observer, client, (seen) => callFor(() => send(seen), 1, key))

  return {
    isCluster: client.isCluster,
    observer,
    timers,
    call,
    run(script, keys, args, carries) {
      const send = (redis: RedisClient) => sendScript(redis, script, keys, args)
      if (observer === undefined || carries !== undefined) return callFor(send, carries ?? 1, keys[0])
      return observeScript(observer, script, () => callFor(send, 1, keys[0]))
    },
    errorOf(text) {
      const cause = Object.assign(new Error(text.replace(scriptPlace, '')), { name: 'ReplyError' })
      return isCallError(cause) ? cause : unavailable(cause.message)
    },
    scan: (pattern) => scanKeys(client, pattern, call),
    onReady: (fn) => availability.onReady(fn),
    ready: (maxMs) => availability.ready(maxMs),
    check: (name) => checkWrites(name, call, writes),
    counts: () => ({
      up: availability.reason === undefined && (masters?.size ?? 0) === 0 && !writes.isOutage,
      rejected,
      outages: availability.outages + (masters?.total ?? 0) + writes.outages,
    }),
    async close() {
      if (closed) return
      closed = true
      availability.close()
      masters?.close()
      deadlines.endAll()
      client.disconnect()
    },
  }
}

async function sendScript(
  redis: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await (redis instanceof Redis
      ? redis.sendCommand(new ScriptCommand(script, keys, args))
      : redis.evalsha(script.sha, keys.length, ...keys, ...args))
  } catch (cause) {
    if (!String(cause).includes('NOSCRIPT')) throw cause
    return await redis.eval(script.text, keys.length, ...keys, ...args)
  }
}

async function scanKeys(client: RedisClient, pattern: string, call: RedisConnection['call']): Promise<string[]> {
  const found = new Set<string>()
  for (const master of client instanceof Cluster ? client.nodes('master') : [client]) {
    let cursor = '0'
    do {
      const [next, keys] = await call(() => master.scan(cursor, 'MATCH', pattern, 'COUNT', scanPage))
      for (const key of keys) found.add(key)
      cursor = next
    } while (cursor !== '0')
  }
  return [...found]
}

async function checkWrites(name: string, call: RedisConnection['call'], writes: RejectedWrites): Promise<StoreHealth> {
  try {
    await call((redis) => redis.set(name, name, 'EX', checkLifeSeconds), name)
    writes.written()
    return { ok: true }
  } catch (cause) {
    return { ok: false, reason: reasonOf(cause) }
  }
}

/** Prefix of command errors in scripts, before Redis 7. */
const scriptPlace = /^(?:@?user_script: ?\d+: )+-?/

/** Ends the message of errors with which ioredis fails the open calls of a connection whose bytes it cannot read. */
const unreadableReply = 'Please report this.'

/**
 * Returns true if the call itself is wrong. Returns false for errors that describe the state of the server, such as LOADING,
 * and for replies that break the protocol.
 */
function isCallError(cause: unknown): boolean {
  if (cause instanceof Error && cause.message.endsWith(unreadableReply)) return false
  if (cause instanceof TypeError || cause instanceof RangeError || cause instanceof SyntaxError) return true
  if (!(cause instanceof Error) || cause.name !== 'ReplyError') return false
  return !/^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|MOVED|ASK|TRYAGAIN|OOM|NOAUTH|WRONGPASS|MISCONF|BUSY|NOREPLICAS)\b/.test(
    cause.message,
  )
}
