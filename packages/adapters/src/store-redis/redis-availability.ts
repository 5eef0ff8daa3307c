/**
 * Tracks whether Redis is available. It is unavailable without a connection, or after a call without a reply in time, which
 * `redis-connection.ts` reports. Then a probe sends PING, except to a cluster, and its first reply makes Redis available
 * again. A probe without a reply reconnects, because the connection may be dead. In a cluster, `cluster-master-outages.ts`
 * tracks each master.
 *
 * While Redis is unavailable, a request gets what packages/core/src/pipeline/compile/store-outage.ts decides.
 */
import { type Log, StoreUnavailableError } from '@turnpike/core/ports'
import { reasonOf } from '../service-connection/service-connection.ts'
import type { CallDeadlines } from './call-deadlines.ts'
import type { RedisClient } from './connection-options.ts'
import { pause, type Timers } from './timers.ts'

export interface RedisAvailabilityOptions {
  readonly client: RedisClient
  /**
   * Whether a probe sends PING. False for a cluster: its client connects only with a reply, and PING could go to a master
   * that does not respond.
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

export class RedisAvailability {
  /** Number of outages since the start, without the time before the first connection. */
  outages = 0
  private readonly options: RedisAvailabilityOptions
  private outage: { readonly since: number; reason: string; readonly isLogged: boolean } | undefined = undefined
  private closed = false
  private waitsForReady: (() => void)[] = []
  private readonly listeners: (() => void)[] = []
  private probing = false
  private openSince = 0
  private wakeProbe = () => {}

  constructor(options: RedisAvailabilityOptions) {
    this.options = options
    const { client, timers } = options
    client.on('connect', () => {
      this.openSince = timers.now()
    })
    client.on('ready', () => {
      this.wakeProbe()
      if (this.outage !== undefined && !this.probing) void this.probe()
    })
    // The reason of a known outage is more specific.
    client.on('close', () => this.outage ?? this.markUnavailable('the connection is closed'))
    // Without a listener an error would end the process. The log and /hello report the reason.
    client.on('error', (cause: Error) => {
      if (this.outage !== undefined) this.outage.reason = reasonOf(cause)
    })
    this.beginOutage('not connected yet', false)
  }

  /** Why Redis is unavailable; `undefined` if it is available. */
  get reason(): string | undefined {
    return this.outage?.reason
  }

  /** Redis stays unavailable until a probe gets a reply. */
  markUnavailable(reason: string): void {
    if (this.closed) return
    if (this.outage === undefined) this.beginOutage(reason, true)
    else this.outage.reason = reason
  }

  /** Calls `fn` each time Redis becomes available, including the first time. */
  onReady(fn: () => void): void {
    this.listeners.push(fn)
    if (this.outage === undefined) fn()
  }

  /** Resolves when Redis is available, or after `maxMs`. */
  async ready(maxMs: number): Promise<void> {
    if (this.outage === undefined) return
    const available = new Promise<void>((resolve) => this.waitsForReady.push(resolve))
    await Promise.race([available, pause(this.options.timers, maxMs)])
  }

  /** Ends the probe. */
  close(): void {
    this.closed = true
  }

  private beginOutage(reason: string, isLogged: boolean): void {
    this.outage = { since: this.options.timers.now(), reason, isLogged }
    if (isLogged) {
      this.outages += 1
      this.options.log.error('Redis is unavailable', { reason })
    }
    if (!this.probing) void this.probe()
  }

  private endOutage({ since, isLogged }: NonNullable<RedisAvailability['outage']>): void {
    const { timers, log } = this.options
    if (isLogged) log.warn('Redis is available again', { outageMs: Math.round(timers.now() - since) })
    this.outage = undefined
    for (const wake of this.waitsForReady) wake()
    this.waitsForReady = []
    for (const notify of this.listeners) notify()
  }

  private async probe(): Promise<void> {
    const { client, sendsPing, deadlines, timers } = this.options
    this.probing = true
    let unreadySince = timers.now()
    while (this.outage !== undefined && !this.closed) {
      const connected = new Promise<void>((resolve) => {
        this.wakeProbe = resolve
      })
      if (client.status === 'ready') {
        unreadySince = timers.now()
        try {
          if (sendsPing) await deadlines.watch(client.ping())
          this.endOutage(this.outage)
          break
        } catch (cause) {
          this.outage.reason = reasonOf(cause)
          if (cause instanceof StoreUnavailableError) client.disconnect(true)
        }
      } else if (this.isStuck(unreadySince)) {
        unreadySince = timers.now()
        client.disconnect(true)
      }
      await Promise.race([pause(timers, probePauseMs), connected])
    }
    this.probing = false
  }

  private isStuck(unreadySince: number): boolean {
    const { client, timers } = this.options
    if (client.status === 'connect') return timers.now() - this.openSince > silentMs
    return timers.now() - unreadySince > connectingMs
  }
}
