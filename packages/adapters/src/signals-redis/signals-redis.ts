/**
 * Signals over a channel of Redis, in the messages of existing gateways (spec/redis-layout.md 9). This file sends and
 * hears; `message.ts` has the messages and their signatures, `signal-message.ts` what they mean, `node-count.ts` the
 * count of nodes, `subscription.ts` the connection that listens.
 *
 * Delivery is at most once. What was told while the subscription was lost is lost; listeners hear of the gap.
 */
import { type Log, type Signal, type Signals, silentLog } from '@turnpike/core'
import type { RedisClient, RedisConnection } from '../store-redis/connection-options.ts'
import type { RedisLink } from '../store-redis/redis-link.ts'
import { type MessageSigning, makeMessageCodec } from './message-codec.ts'
import { makeNodeCount, type NodeNotice, printNotice } from './node-count.ts'
import { toMessage, toSignals } from './signal-message.ts'
import { openSubscription } from './subscription.ts'

export interface RedisSignalsOptions {
  /** Sends; its owner closes it. */
  readonly link: RedisLink
  /** Listens, on a connection of its own; `undefined`: this node hears nothing (`suppress_redis_signal_reload`). */
  readonly redis: RedisConnection | RedisClient | undefined
  /** Vendor word, which stands in the channel's name. Default: `svc`. */
  readonly vendor?: string
  readonly signing?: MessageSigning
  /** Default: none. */
  readonly log?: Log
  /** Who this node is, for those that count nodes; absent: it hears others and does not tell of itself. */
  readonly node?: {
    readonly hostName: string
    readonly id: string
    readonly tagHash: string
    /** Requests a second of late. */
    readonly load: () => number
    /** Ms between two notices. Default: 2000. */
    readonly everyMs?: number
  }
}

export interface RedisSignals extends Signals {
  /** Nodes that share rates now, this one among them. */
  nodes(): number
  /** Whether it hears now. */
  isListening(): boolean
  close(): void
}

const defaultEveryMs = 2000
/** Most different kinds of bad messages that are told of. */
const mostTold = 100

/** Throws when a key to sign or check with is none. */
export function makeRedisSignals(options: RedisSignalsOptions): RedisSignals {
  const { link, redis, vendor = 'svc', signing = { secret: '' }, log = silentLog, node } = options
  const channel = `${vendor}.cluster.notifications`
  const codec = makeMessageCodec(signing)
  // An object per subscription: one function may listen twice, and each must be taken off for itself.
  const listeners = new Set<{ readonly listener: (signal: Signal) => void }>()
  const everyMs = node?.everyMs ?? defaultEveryMs
  const self = node ?? { hostName: '', id: '', tagHash: '' }
  const count = makeNodeCount(self, Math.max(4000, 2 * everyMs), () => performance.now())
  const told = new Set<string>()

  const tellOnce = (message: string, fields: Record<string, string>) => {
    const line = message + JSON.stringify(fields)
    if (told.has(line) || told.size >= mostTold) return
    told.add(line)
    log.warn(message, fields)
  }

  const deliver = (signal: Signal) => {
    for (const { listener } of [...listeners]) {
      try {
        listener(signal)
      } catch (error) {
        log.error('a listener of signals failed', { kind: signal.kind, error })
      }
    }
  }

  const hear = (text: string) => {
    const message = codec.parse(text)
    if ('refused' in message) {
      tellOnce('a message of the cluster is not taken', { reason: message.refused })
      return
    }
    if (message.command === 'NoticeGatewayDRLNotification') {
      count.hear(message.payload)
      return
    }
    const signals = toSignals(message)
    if (signals === undefined) {
      tellOnce('a message of the cluster has an unknown command', { command: message.command.slice(0, 64) })
    } else {
      for (const signal of signals) deliver(signal)
    }
  }

  const subscription =
    redis === undefined
      ? undefined
      : openSubscription({ redis, channel, hear, onGap: () => deliver({ kind: 'gap' }), log })

  const send = async (text: string) => {
    await link.call((client) => client.publish(channel, text))
  }
  const stopNotices =
    node === undefined
      ? () => {}
      : startNotices(node, everyMs, (notice) => {
          // While Redis is away nobody hears it, and nobody need be told of that.
          send(codec.print({ command: 'NoticeGatewayDRLNotification', payload: printNotice(notice) })).catch(
            () => undefined,
          )
        })

  return {
    publish: (signal) => send(codec.print(toMessage(signal))),
    subscribe(listener) {
      const entry = { listener }
      listeners.add(entry)
      return () => {
        listeners.delete(entry)
      }
    },
    nodes: count.count,
    isListening: () => subscription?.isListening() ?? false,
    close() {
      stopNotices()
      subscription?.close()
    },
  } satisfies RedisSignals
}

/** The first goes out as soon as there is a turn. */
function startNotices(
  node: NonNullable<RedisSignalsOptions['node']>,
  everyMs: number,
  send: (notice: NodeNotice) => void,
): () => void {
  const { hostName, id, tagHash, load } = node
  const tell = () => send({ hostName, id, tagHash, loadPerSecond: load() })
  const first = setTimeout(tell, 0)
  const timer = setInterval(tell, everyMs)
  first.unref()
  timer.unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
