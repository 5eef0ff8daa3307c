/**
 * Tracks whether Redis is available. It is unavailable without a connection, or after a call without a reply in time. Then
 * a probe sends PING, and its first reply makes Redis available again. A probe without a reply reconnects, because the
 * connection may be dead. In a cluster, `cluster-master-outages.ts` tracks each master.
 *
 * While Redis is unavailable, a request gets what packages/core/src/pipeline/compile/store-outage.ts decides.
 */
import { type Log, StoreUnavailableError } from '@turnpike/core'
import { reasonOf } from '../service-connection/service-connection.ts'
import type { CallDeadlines } from './call-deadlines.ts'
import type { RedisClient } from './connection-options.ts'
import { pause, type Timers } from './timers.ts'

export interface RedisAvailability {
  /** Why Redis is unavailable; `undefined` if it is available. */
  readonly reason: string | undefined
  /** Number of outages since the start, without the time before the first connection. */
  readonly outages: number
  /** Redis stays unavailable until a probe gets a reply. */
  markUnavailable(reason: string): void
  /** Calls `fn` each time Redis becomes available, including the first time. */
  onReady(fn: () => void): void
  /** Resolves when Redis is available, or after `maxMs`. */
  ready(maxMs: number): Promise<void>
  /** Ends the probe. */
  close(): void
}

export interface RedisAvailabilityOptions {
  readonly client: RedisClient
  /**
   * Whether a probe sends PING. A client of a cluster is ready after a reply, and PING would go to any master, perhaps to
   * one that is silent.
   */
  readonly sendsPing: boolean
  readonly deadlines: CallDeadlines
  readonly timers: Timers
  readonly log: Log
}

/** Pause between two probes. */
const probePauseMs = 200
/** A connection that is not open after this time is closed and opened again. */
const connectingMs = 5000
/**
 * An open connection whose server has not replied after this time is closed and opened again. A suspended master accepts
 * connections; by then sentinels or the cluster may know another one.
 */
const silentMs = 1000

export function makeRedisAvailability(options: RedisAvailabilityOptions): RedisAvailability {
  const { client, sendsPing, deadlines, timers, log } = options
  let outage: { readonly since: number; reason: string; readonly isLogged: boolean } | undefined
  let closed = false
  let outages = 0
  let waitsForReady: (() => void)[] = []
  const listeners: (() => void)[] = []
  let probing = false
  let openSince = 0
  let wakeProbe = () => {}

  const markUnavailable = (reason: string, isLogged = true) => {
    if (closed) return
    if (outage !== undefined) {
      outage.reason = reason
      return
    }
    outage = { since: timers.now(), reason, isLogged }
    if (isLogged) {
      outages += 1
      log.error('Redis is unavailable', { reason })
    }
    if (!probing) void probe()
  }
  const markAvailable = () => {
    if (outage === undefined) return
    const ms = Math.round(timers.now() - outage.since)
    if (outage.isLogged) log.warn('Redis is available again', { outageMs: ms })
    outage = undefined
    for (const wake of waitsForReady) wake()
    waitsForReady = []
    for (const notify of listeners) notify()
  }

  const isStuck = (unreadySince: number) =>
    client.status === 'connect' ? timers.now() - openSince > silentMs : timers.now() - unreadySince > connectingMs

  const probe = async () => {
    probing = true
    let unreadySince = timers.now()
    while (outage !== undefined && !closed) {
      const connected = new Promise<void>((resolve) => {
        wakeProbe = resolve
      })
      if (client.status === 'ready') {
        unreadySince = timers.now()
        try {
          if (sendsPing) await deadlines.watch(client.ping())
          markAvailable()
          break
        } catch (cause) {
          outage.reason = reasonOf(cause)
          if (cause instanceof StoreUnavailableError) client.disconnect(true)
        }
      } else if (isStuck(unreadySince)) {
        unreadySince = timers.now()
        client.disconnect(true)
      }
      await Promise.race([pause(timers, probePauseMs), connected])
    }
    probing = false
  }

  client.on('connect', () => {
    openSince = timers.now()
  })
  client.on('ready', () => {
    wakeProbe()
    if (outage !== undefined && !probing) void probe()
  })
  // The reason of a known outage is more specific.
  client.on('close', () => outage ?? markUnavailable('the connection is closed'))
  // Without a listener an error would end the process. The log and /hello report the reason.
  client.on('error', (cause: Error) => {
    if (outage !== undefined) outage.reason = reasonOf(cause)
  })
  markUnavailable('not connected yet', false)

  return {
    get reason() {
      return outage?.reason
    },
    get outages() {
      return outages
    },
    markUnavailable: (reason) => markUnavailable(reason),
    onReady(fn) {
      listeners.push(fn)
      if (outage === undefined) fn()
    },
    async ready(maxMs) {
      if (outage === undefined) return
      const available = new Promise<void>((resolve) => waitsForReady.push(resolve))
      await Promise.race([available, pause(timers, maxMs)])
    },
    close() {
      closed = true
    },
  }
}
