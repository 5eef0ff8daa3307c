/**
 * The way to Redis: every command goes through here. A call has a deadline; while Redis is away calls are refused at
 * once instead of being queued; a probe finds out when it is back. Whoever calls gets `StoreUnavailableError` for all of it.
 *
 * Away is: no connection, or a call that got no reply in time. From then on one probe asks (half open), and the first
 * reply lets calls through again. A probe without a reply makes the connection anew, since it may lead nowhere.
 */
import { type Log, type StoreHealth, StoreUnavailableError } from '@turnpike/core'
import { Cluster, Redis } from 'ioredis'
import { type CallDeadlines, makeCallDeadlines } from './call-deadlines.ts'
import { makeRedisClient, type RedisClient, type RedisConnection } from './connection-options.ts'
import { ScriptCommand } from './script-command.ts'
import type { Script } from './scripts/script.ts'
import { pause, processTimers, type Timers } from './timers.ts'

export interface RedisLink {
  /** Sends what `send` asks the client for. Rejects with `StoreUnavailableError` while Redis is away or when it does not answer. */
  call<T>(send: (client: RedisClient) => Promise<T>): Promise<T>
  /**
   * Runs a script: by its hash, and with its text where the server does not know it yet. `carries`: how many calls go
   * in this one, for the counts. Default: 1.
   */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[], carries?: number): Promise<unknown>
  /** What a call rejects with that Redis refuses with these words; for errors within replies. */
  errorOf(words: string): Error
  readonly isCluster: boolean
  /** For all that waits on this way. */
  readonly timers: Timers
  /** Keys of all masters that match a glob pattern. */
  scan(pattern: string): Promise<string[]>
  /** Calls `fn` each time that Redis answers again, the first time among them. */
  onReady(fn: () => void): void
  /** Resolves when Redis answers, or after `mostMs`, whichever comes first. */
  ready(mostMs: number): Promise<void>
  /** Whether Redis takes writes, tried with this name. */
  check(name: string): Promise<StoreHealth>
  /** For metrics. */
  counts(): LinkCounts
  close(): Promise<void>
}

export interface LinkCounts {
  readonly up: boolean
  /** Calls that failed because Redis was away, since the start. */
  readonly refused: number
  /** How often it went away. */
  readonly outages: number
}

export interface RedisLinkOptions {
  /** Where Redis is, or a client; the link closes it. */
  readonly redis: RedisConnection | RedisClient
  readonly log: Log
  /** Time for one call, in ms. Default: 1000. */
  readonly callMs?: number
  /** Default: those of the process. */
  readonly timers?: Timers
}

/** How often Redis is asked whether it is back. */
const probePauseMs = 200
/** A connection that is not ready after this is made anew. */
const stuckMs = 5000
const scanPage = 1000
const checkLifeSeconds = 10

export function makeRedisLink(options: RedisLinkOptions): RedisLink {
  const { redis, log, callMs = 1000, timers = processTimers } = options
  const client = 'addresses' in redis ? makeRedisClient(redis, 'data') : redis
  const isCluster = client.isCluster
  let away: { readonly since: number; reason: string; readonly told: boolean } | undefined
  let closed = false
  let refused = 0
  let outages = 0
  let waitsForReady: (() => void)[] = []
  const listeners: (() => void)[] = []
  let probing = false
  let wakeProbe = () => {}
  const late = () => new StoreUnavailableError(`no reply in ${callMs} ms`)
  const deadlines: CallDeadlines = makeCallDeadlines(callMs, late, timers)

  const goAway = (reason: string, told = true) => {
    if (closed) return
    if (away !== undefined) {
      away.reason = reason
      return
    }
    away = { since: timers.now(), reason, told }
    if (told) {
      outages += 1
      log.error('Redis is away', { reason })
    }
    if (!probing) void probe()
  }
  const comeBack = () => {
    if (away === undefined) return
    const ms = Math.round(timers.now() - away.since)
    if (away.told) log.warn('Redis is back', { awayMs: ms })
    away = undefined
    for (const wake of waitsForReady) wake()
    waitsForReady = []
    for (const tell of listeners) tell()
  }

  const probe = async () => {
    probing = true
    let unreadySince = timers.now()
    while (away !== undefined && !closed) {
      const connected = new Promise<void>((resolve) => {
        wakeProbe = resolve
      })
      if (client.status === 'ready') {
        unreadySince = timers.now()
        try {
          await deadlines.watch(client.ping())
          comeBack()
          break
        } catch (cause) {
          away.reason = reasonOf(cause)
          if (cause instanceof StoreUnavailableError) client.disconnect(true)
        }
      } else if (timers.now() - unreadySince > stuckMs) {
        unreadySince = timers.now()
        client.disconnect(true)
      }
      await Promise.race([pause(timers, probePauseMs), connected])
    }
    probing = false
  }

  client.on('ready', () => {
    wakeProbe()
    if (away !== undefined && !probing) void probe()
  })
  // What is known already says more.
  client.on('close', () => away ?? goAway('the connection is closed'))
  // Without a listener an error would end the process; the reason is what the log and /hello tell.
  client.on('error', (cause: Error) => {
    if (away !== undefined) away.reason = reasonOf(cause)
  })
  goAway('not connected yet', false)

  const refuse = (reason: string, calls = 1) => {
    refused += calls
    return new StoreUnavailableError(`Redis is away: ${reason}`)
  }

  async function send<T>(ask: (client: RedisClient) => Promise<T>, carries: number): Promise<T> {
    try {
      return await deadlines.watch(ask(client))
    } catch (cause) {
      if (isAnswer(cause)) throw cause
      const reason = reasonOf(cause)
      if (cause instanceof StoreUnavailableError || client.status !== 'ready') goAway(reason)
      throw refuse(reason, carries)
    }
  }
  const callFor = <T>(ask: (client: RedisClient) => Promise<T>, carries: number): Promise<T> => {
    if (closed) return Promise.reject(refuse('the gateway is closing', carries))
    return away === undefined ? send(ask, carries) : Promise.reject(refuse(away.reason, carries))
  }
  const call: RedisLink['call'] = (ask) => callFor(ask, 1)

  return {
    isCluster,
    timers,
    call,
    run(script, keys, args, carries = 1) {
      return callFor(async (redis) => {
        try {
          return await (redis instanceof Redis
            ? redis.sendCommand(new ScriptCommand(script, keys, args))
            : redis.evalsha(script.sha, keys.length, ...keys, ...args))
        } catch (cause) {
          if (!String(cause).includes('NOSCRIPT')) throw cause
          return await redis.eval(script.text, keys.length, ...keys, ...args)
        }
      }, carries)
    },
    errorOf(words) {
      const cause = Object.assign(new Error(words.replace(scriptPlace, '')), { name: 'ReplyError' })
      return isAnswer(cause) ? cause : refuse(cause.message)
    },
    async scan(pattern) {
      const masters: Redis[] = client instanceof Cluster ? client.nodes('master') : [client]
      const found = new Set<string>()
      for (const master of masters) {
        let cursor = '0'
        do {
          const [next, keys]: [string, string[]] = await call(() =>
            master.scan(cursor, 'MATCH', pattern, 'COUNT', scanPage),
          )
          for (const key of keys) found.add(key)
          cursor = next
        } while (cursor !== '0')
      }
      return [...found]
    },
    onReady(fn) {
      listeners.push(fn)
      if (away === undefined) fn()
    },
    async ready(mostMs) {
      if (away === undefined) return
      const answered = new Promise<void>((resolve) => waitsForReady.push(resolve))
      await Promise.race([answered, pause(timers, mostMs)])
    },
    async check(name): Promise<StoreHealth> {
      try {
        await call((redis) => redis.set(name, name, 'EX', checkLifeSeconds))
        return { ok: true }
      } catch (cause) {
        return { ok: false, reason: reasonOf(cause) }
      }
    },
    counts: () => ({ up: away === undefined, refused, outages }),
    async close() {
      if (closed) return
      closed = true
      deadlines.endAll()
      client.disconnect()
    },
  }
}

/** What stands before errors of commands in scripts, in releases before 7. */
const scriptPlace = /^(?:@?user_script: ?\d+: )+-?/

/** Redis answered, and the call itself is wrong, or a bug of ours. Refusals that tell of its state are no such answers. */
function isAnswer(cause: unknown): boolean {
  if (cause instanceof TypeError || cause instanceof RangeError || cause instanceof SyntaxError) return true
  if (!(cause instanceof Error) || cause.name !== 'ReplyError') return false
  return !/^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|OOM|NOAUTH|WRONGPASS|MISCONF|BUSY|NOREPLICAS)\b/.test(
    cause.message,
  )
}

/** Why, in few words; errors of connections may hold a list of them, and nothing else. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause instanceof AggregateError ? cause.errors[0] : undefined
  return cause.message || (inner instanceof Error ? inner.message : cause.name)
}
