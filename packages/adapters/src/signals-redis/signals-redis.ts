/**
 * Signals between nodes over a Redis channel, in the message format of original gateways. This file publishes and
 * delivers; `message-codec.ts` encodes and signs messages, `signal-message.ts` maps them to signals, `node-count.ts`
 * counts nodes, `subscription.ts` holds the subscribed connection.
 *
 * Delivery is at most once. Messages that are published while the subscription is down are lost; listeners then receive a
 * `gap` signal. Source: docs/reference/cluster-messages.md#messages.
 */
import { type Cancel, type Clock, type Log, type Signal, type Signals, silentLog } from '@turnpike/core/ports'
import { systemClock } from '../clock-system/clock-system.ts'
import type { RedisClient, RedisConnectionOptions } from '../store-redis/connection-options.ts'
import type { RedisConnection } from '../store-redis/redis-connection.ts'
import { type MessageSigning, makeMessageCodec } from './message-codec.ts'
import { makeNodeCount, type NodeNotice, printNotice } from './node-count.ts'
import { toMessage, toSignals } from './signal-message.ts'
import { openSubscription } from './subscription.ts'

export interface RedisSignalsOptions {
  /** Connection to publish on. Its owner closes it. */
  readonly connection: RedisConnection
  /** Connection to subscribe on. If it is `undefined`, this node receives nothing (`suppress_redis_signal_reload`). */
  readonly redis: RedisConnectionOptions | RedisClient | undefined
  /** Vendor word in the name of the channel. Default: `svc`. */
  readonly vendor?: string
  /** Default: an empty secret. */
  readonly signing?: MessageSigning
  /** Default: no log. */
  readonly log?: Log
  /** Default: the clock of the system. */
  readonly clock?: Pick<Clock, 'after'>
  /** Identity of this node. Without it, the node sends no notices about itself and other nodes do not count it. */
  readonly node?: {
    readonly hostName: string
    readonly id: string
    readonly tagHash: string
    /** Returns the current request rate. */
    readonly requestsPerSecond: () => number
    /** Milliseconds between two notices. Default: 2000. */
    readonly noticeIntervalMs?: number
  }
}

export interface RedisSignals extends Signals {
  /** Returns the number of nodes that currently share rate limits, this one included. */
  nodes(): number
  /** Returns true while the subscription is active. */
  isListening(): boolean
  close(): void
}

const defaultNoticeIntervalMs = 2000
/** Longer messages are not read, because parsing one blocks the event loop. */
const maxMessageLength = 1024 * 1024
/** Milliseconds between two gaps for such messages. Their signature is not checked, so any peer can send them. */
const longMessagePauseMs = 60_000
/** Maximum number of different warnings about invalid messages. */
const maxWarnings = 100

/** Makes the signals. Throws if a key of `signing` is invalid. */
export function makeRedisSignals(options: RedisSignalsOptions): RedisSignals {
  const { connection, redis, vendor = 'svc', signing = { secret: '' } } = options
  const { log = silentLog, clock = systemClock, node } = options
  const channel = `${vendor}.cluster.notifications`
  const codec = makeMessageCodec(signing)
  // One object per subscription, because the same function may be subscribed twice.
  const listeners = new Set<{ readonly listener: (signal: Signal) => void }>()
  const noticeIntervalMs = node?.noticeIntervalMs ?? defaultNoticeIntervalMs
  const self = node ?? { hostName: '', id: '', tagHash: '' }
  const count = makeNodeCount(self, Math.max(4000, 2 * noticeIntervalMs), () => performance.now())
  const warnOnce = makeWarnOnce(log)

  const deliver = (signal: Signal) => {
    for (const { listener } of [...listeners]) {
      try {
        listener(signal)
      } catch (error) {
        log.error('a listener of signals failed', { kind: signal.kind, error })
      }
    }
  }

  const onGap = () => deliver({ kind: 'gap' })
  const longMessageGaps = new LongMessageGaps(clock, onGap)

  const onMessage = (text: string) => {
    if (text.length > maxMessageLength) {
      // It may name thousands of changed keys, so everything that is cached could be outdated.
      warnOnce('a cluster message over 1 MiB was not read; everything cached is loaded again', {})
      longMessageGaps.add()
      return
    }
    const message = codec.parse(text)
    if ('invalid' in message) {
      warnOnce('ignored an invalid cluster message', { reason: message.invalid })
      return
    }
    if (message.command === 'NoticeGatewayDRLNotification') {
      count.receive(message.payload)
      return
    }
    const signals = toSignals(message)
    if (signals === undefined) {
      warnOnce('ignored a cluster message with an unknown command', { command: message.command.slice(0, 64) })
    } else {
      for (const signal of signals) deliver(signal)
    }
  }

  const subscription = redis && openSubscription({ redis, channel, onMessage, onGap, log })

  const send = async (text: string) => {
    await connection.call((client) => client.publish(channel, text))
  }
  const sendNotice = (notice: NodeNotice) => {
    const message = { command: 'NoticeGatewayDRLNotification', payload: printNotice(notice) }
    // A notice that fails while Redis is unreachable is replaced by the next one, so errors are ignored.
    send(codec.print(message)).catch(() => undefined)
  }
  const stopNotices = node && startNotices(node, noticeIntervalMs, sendNotice)

  return {
    publish: (signal) => send(codec.print(toMessage(signal))),
    subscribe(listener) {
      const entry = { listener }
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
    nodes: count.count,
    isListening: () => subscription?.isListening() ?? false,
    close() {
      stopNotices?.()
      longMessageGaps.close()
      subscription?.close()
    },
  } satisfies RedisSignals
}

/** Logs each message once, and at most `maxWarnings` different ones. */
function makeWarnOnce(log: Log): (message: string, fields: Record<string, string>) => void {
  const warned = new Set<string>()
  return (message, fields) => {
    const line = message + JSON.stringify(fields)
    if (warned.has(line) || warned.size >= maxWarnings) return
    warned.add(line)
    log.warn(message, fields)
  }
}

/** Reports a gap for messages that were not read. Those during the pause after a gap cause one gap at its end. */
class LongMessageGaps {
  private readonly clock: Pick<Clock, 'after'>
  private readonly onGap: () => void
  private cancelPause: Cancel | undefined = undefined
  private isGapDue = false

  constructor(clock: Pick<Clock, 'after'>, onGap: () => void) {
    this.clock = clock
    this.onGap = onGap
  }

  add(): void {
    this.isGapDue = this.cancelPause !== undefined
    if (this.isGapDue) return
    this.cancelPause = this.clock.after(longMessagePauseMs, () => {
      this.cancelPause = undefined
      if (this.isGapDue) this.add()
    })
    this.onGap()
  }

  close(): void {
    this.cancelPause?.()
  }
}

/** Sends the first notice in the next iteration of the event loop. Returns a function that stops the notices. */
function startNotices(
  node: NonNullable<RedisSignalsOptions['node']>,
  intervalMs: number,
  send: (notice: NodeNotice) => void,
): () => void {
  const { hostName, id, tagHash, requestsPerSecond } = node
  const sendNotice = () => send({ hostName, id, tagHash, requestsPerSecond: requestsPerSecond() })
  const first = setTimeout(sendNotice, 0)
  const timer = setInterval(sendNotice, intervalMs)
  first.unref()
  timer.unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
