/**
 * Uptime tests: checks the hosts in definitions periodically and fires `HostDown` and `HostUp`. Only the node that
 * holds the lease of its group checks; the other nodes read its results from the store. The results are named by host
 * only, so all groups of one store share them. Source: docs/reference/configuration.md#traffic-keys,
 * docs/reference/redis-layout.md#vendor-word-in-redis-names.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { Cancel, Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { UptimeSettings } from '../../ports/settings.ts'
import type { RecordStore } from '../../ports/store.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { Events } from '../events/events.ts'
import { type HostCheck, readHostChecks } from './host-check.ts'
import { HostState } from './host-state.ts'
import { type CheckResult, runCheck } from './run-check.ts'

export interface UptimeOptions {
  readonly settings: UptimeSettings
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly upstream: Upstream
  readonly records: RecordStore
  readonly events: Events | undefined
  /** Do not check certificates. */
  readonly insecure: boolean
}

/** Lifetime of the lease in ms; another node takes over when it is not renewed. Each round renews it. */
const leaseMs = 15_000

export class Uptime {
  private readonly options: UptimeOptions
  private readonly nodeId: string
  private checks: readonly HostCheck[] = []
  private states = new Map<string, HostState>()
  private down: ReadonlySet<string> = new Set()
  private cancel: Cancel | undefined = undefined
  private isClosed = false
  private roundIsRunning = false

  constructor(options: UptimeOptions) {
    this.options = options
    this.nodeId = options.ids.uuid()
  }

  /** Replaces the served definitions; the states of checks that they still contain are kept. */
  serve(definitions: readonly ApiDefinition[]): void {
    const { settings, log } = this.options
    if (settings.disabled) return
    const read = definitions.map(readHostChecks)
    this.checks = read.flatMap((one) => one.checks)
    const before = this.states
    this.states = new Map(
      this.checks.map((check) => [nameOf(check), before.get(nameOf(check)) ?? new HostState(settings.samples)]),
    )
    const named = new Set(this.checks.map(({ target }) => target.authority))
    this.down = new Set([...this.down].filter((host) => named.has(host)))
    const urls = read.flatMap(({ unusable }) => unusable)
    if (urls.length > 0) log.warn('some uptime tests are ignored: only http and https URLs are supported', { urls })
    if (this.checks.length > 0 && this.cancel === undefined && !this.isClosed) this.scheduleNext()
  }

  /** Returns true if the host (with port, as definitions name it) is down. */
  isDown(host: string): boolean {
    return this.down.has(host)
  }

  close(): void {
    this.isClosed = true
    this.cancel?.()
  }

  private scheduleNext(): void {
    const { clock, settings } = this.options
    this.cancel = clock.after(settings.everyMs, () => {
      this.cancel = undefined
      if (this.isClosed || this.checks.length === 0) return
      this.scheduleNext()
      // Skips a round while the previous one still runs.
      if (this.roundIsRunning) return
      this.roundIsRunning = true
      void this.round().finally(() => {
        this.roundIsRunning = false
      })
    })
  }

  private async round(): Promise<void> {
    try {
      const before = this.down
      if (await this.holdsLease()) {
        await Promise.all(this.checks.map((check) => this.checkHost(check)))
        await this.publishDown(before)
      } else this.down = await this.readDown()
    } catch (cause) {
      this.options.log.warn('a round of uptime tests failed', { cause: String(cause) })
    }
  }

  private async holdsLease(): Promise<boolean> {
    const { records, settings } = this.options
    const group = settings.pollerGroup === '' ? '' : `.${settings.pollerGroup}`
    const leaseName = `host-checker:PollerActiveInstanceID${group}`
    const holder = await records.get(leaseName)
    if (holder === undefined) return records.add(leaseName, this.nodeId, leaseMs)
    if (holder === this.nodeId) await records.put(leaseName, this.nodeId, leaseMs)
    return holder === this.nodeId
  }

  private async checkHost(check: HostCheck): Promise<void> {
    const result = await runCheck(check, this.options.upstream, this.options.insecure)
    const state = this.states.get(nameOf(check))
    // The check was removed by a reload.
    if (state === undefined || this.isClosed) return
    if (state.record(result.failed)) this.report(check, result)
  }

  private report({ api, url, target }: HostCheck, { failed, responseCode }: CheckResult): void {
    const { log, events, clock } = this.options
    log.warn(failed ? 'a host is down' : 'a host is up again', { api: api.id, host: target.authority })
    events?.fire({
      name: failed ? 'HostDown' : 'HostUp',
      api,
      at: clock.now(),
      facts: {
        about: 'host',
        message: failed ? 'Uptime test failed' : 'Uptime test succeeded',
        url,
        responseCode,
        tcpError: failed && responseCode === 0,
        host: target.authority,
        apiId: api.id,
      },
    })
  }

  /** Reads the results of the node that holds the lease. */
  private async readDown(): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for (const host of new Set(this.checks.map(({ target }) => target.authority))) {
      if ((await this.options.records.get(downName(host))) !== undefined) found.add(host)
    }
    return found
  }

  /** Updates `down`, and publishes it for the other nodes. `before`: the hosts that were down. */
  private async publishDown(before: ReadonlySet<string>): Promise<void> {
    const { records, settings } = this.options
    const isDown = (check: HostCheck) => this.states.get(nameOf(check))?.isDown
    const down = new Set(this.checks.filter(isDown).map(({ target }) => target.authority))
    this.down = down
    const lifetimeMs = settings.everyMs * Math.max(2, settings.samples)
    for (const host of down) await records.put(downName(host), '1', lifetimeMs)
    for (const host of before) if (!down.has(host)) await records.remove(downName(host))
  }
}

function nameOf({ api, method, url }: HostCheck): string {
  return `${api.id} ${method} ${url}`
}

function downName(host: string): string {
  return `host-checker:PollerCheckerInstance:${host}`
}
