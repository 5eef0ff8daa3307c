/**
 * A connection that listens to one channel. It connects again by itself and subscribes anew each time; it asks the
 * server now and then whether it is there, since a connection that leads nowhere hears nothing and does not break.
 */
import type { Log } from '@turnpike/core'
import { makeRedisClient, type RedisClient, type RedisConnection } from '../store-redis/connection-options.ts'

export interface SubscriptionOptions {
  readonly redis: RedisConnection | RedisClient
  readonly channel: string
  readonly hear: (text: string) => void
  /** What was told for a while was not heard; called when it hears again. */
  readonly onGap: () => void
  readonly log: Log
}

export interface Subscription {
  isListening(): boolean
  close(): void
}

/** A first subscription later than this may have missed something. */
const firstMs = 1000
const askEveryMs = 3000
const retryMs = 1000

export function openSubscription({ redis, channel, hear, onGap, log }: SubscriptionOptions): Subscription {
  const client = 'addresses' in redis ? makeRedisClient(redis, 'signals') : redis
  const openedAt = performance.now()
  let listening = false
  let closed = false
  let missed = false
  let wasTold = false
  let answered = true

  const subscribe = async () => {
    if (closed || listening || client.status !== 'ready') return
    try {
      await client.subscribe(channel)
    } catch (cause) {
      if (closed) return
      log.error('the channel of the cluster cannot be heard', { reason: cause instanceof Error ? cause.message : '' })
      setTimeout(() => void subscribe(), retryMs).unref()
      return
    }
    if (listening) return
    listening = true
    answered = true
    if (wasTold) log.info('the channel of the cluster is heard again')
    wasTold = false
    if (missed || performance.now() - openedAt > firstMs) onGap()
    missed = false
  }

  client.on('ready', () => void subscribe())
  client.on('close', () => {
    if (listening && !closed) {
      log.warn('the channel of the cluster is not heard')
      wasTold = true
      missed = true
    }
    listening = false
  })
  // Without a listener an error would end the process; the link to Redis tells of it.
  client.on('error', () => undefined)
  client.on('message', (from: string, text: string) => {
    if (from === channel) hear(text)
  })
  if (client.status === 'ready') void subscribe()

  const asking = setInterval(() => {
    if (!listening) return
    if (!answered) {
      answered = true
      client.disconnect(true)
      return
    }
    answered = false
    client.ping().then(
      () => {
        answered = true
      },
      () => undefined,
    )
  }, askEveryMs)
  asking.unref()

  return {
    isListening: () => listening,
    close() {
      closed = true
      clearInterval(asking)
      client.disconnect()
    },
  } satisfies Subscription
}
