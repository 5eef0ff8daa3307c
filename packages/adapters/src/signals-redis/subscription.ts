/**
 * A connection that is subscribed to one channel. It reconnects and subscribes again after a failure, and pings the server
 * regularly, because a broken TCP connection without traffic is not detected otherwise.
 */
import type { Log } from '@turnpike/core/ports'
import { makeRedisClient, type RedisClient, type RedisConnectionOptions } from '../store-redis/connection-options.ts'

export interface SubscriptionOptions {
  readonly redis: RedisConnectionOptions | RedisClient
  readonly channel: string
  readonly onMessage: (text: string) => void
  /** Called after the subscription is restored, because messages may have been lost. */
  readonly onGap: () => void
  readonly log: Log
}

export interface Subscription {
  isListening(): boolean
  close(): void
}

/** If the first subscription takes more milliseconds, messages since the start may have been lost. */
const maxFirstSubscribeMs = 1000
const pingIntervalMs = 3000
const retryDelayMs = 1000

export function openSubscription({ redis, channel, onMessage, onGap, log }: SubscriptionOptions): Subscription {
  const client = 'addresses' in redis ? makeRedisClient(redis, 'signals') : redis
  const openedAt = performance.now()
  let listening = false
  let closed = false
  let missed = false
  let loggedDown = false
  let pongReceived = true

  const subscribe = async () => {
    if (closed || listening || client.status !== 'ready') return
    try {
      await client.subscribe(channel)
    } catch (cause) {
      if (closed) return
      log.error('cannot subscribe to the cluster channel', { reason: cause instanceof Error ? cause.message : '' })
      setTimeout(() => void subscribe(), retryDelayMs).unref()
      return
    }
    if (listening) return
    listening = true
    pongReceived = true
    if (loggedDown) log.info('subscribed to the cluster channel again')
    loggedDown = false
    if (missed || performance.now() - openedAt > maxFirstSubscribeMs) onGap()
    missed = false
  }

  client.on('ready', () => void subscribe())
  client.on('close', () => {
    if (listening && !closed) {
      log.warn('lost the subscription to the cluster channel')
      loggedDown = true
      missed = true
    }
    listening = false
  })
  // Without a listener an error would end the process. `redis-availability.ts` logs the loss of the connection.
  client.on('error', () => undefined)
  client.on('message', (from: string, text: string) => {
    if (from === channel) onMessage(text)
  })
  if (client.status === 'ready') void subscribe()

  const pinging = setInterval(() => {
    if (!listening) return
    if (!pongReceived) {
      pongReceived = true
      client.disconnect(true)
      return
    }
    pongReceived = false
    client.ping().then(
      () => {
        pongReceived = true
      },
      () => undefined,
    )
  }, pingIntervalMs)
  pinging.unref()

  return {
    isListening: () => listening,
    close() {
      closed = true
      clearInterval(pinging)
      client.disconnect()
    },
  } satisfies Subscription
}
