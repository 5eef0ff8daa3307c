/**
 * Uptime tests: checks the hosts in definitions periodically and fires `HostDown` and `HostUp`. Only the node that holds
 * the lease checks; the other nodes of the group read its results from the store. Source:
 * docs/reference/configuration.md#traffic-keys, docs/reference/redis-layout.md#vendor-word-in-redis-names.
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

export interface Uptime {
  /** Replaces the served definitions; the state of hosts that they still contain is kept. */
  serve(definitions: readonly ApiDefinition[]): void
  /** Whether the host (with port, as definitions name it) is down. */
  isDown(host: string): boolean
  close(): void
}

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

/** Lifetime of the lease in ms; another node takes over when it is not renewed. */
const leaseMs = 15_000

export function makeUptime(options: UptimeOptions): Uptime {
  const { settings, clock, ids, log, upstream, records, events, insecure } = options
  const me = ids.uuid()
  const group = settings.pollerGroup === '' ? '' : `.${settings.pollerGroup}`
  const leaseName = `host-checker:PollerActiveInstanceID${group}`
  let checks: readonly HostCheck[] = []
  let states = new Map<string, HostState>()
  let down = new Set<string>()
  let cancel: Cancel | undefined
  let closed = false
  let underWay = false

  const holdsLease = async (): Promise<boolean> => {
    const holder = await records.get(leaseName)
    if (holder === undefined) return records.add(leaseName, me, leaseMs)
    if (holder === me) await records.put(leaseName, me, leaseMs)
    return holder === me
  }
  const report = (check: HostCheck, { failed, responseCode }: CheckResult) => {
    const { api, url, target } = check
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
  const checkHost = async (check: HostCheck): Promise<void> => {
    const result = await runCheck(check, upstream, insecure)
    const state = states.get(nameOf(check))
    // The check was removed by a reload.
    if (state === undefined || closed) return
    if (state.record(result.failed)) report(check, result)
  }
  const readDown = async (): Promise<ReadonlySet<string>> => {
    const found = new Set<string>()
    for (const host of new Set(checks.map(({ target }) => target.authority))) {
      if ((await records.get(downName(host))) !== undefined) found.add(host)
    }
    return found
  }
  const writeDown = async (before: ReadonlySet<string>): Promise<void> => {
    down = new Set(checks.filter((check) => states.get(nameOf(check))?.isDown).map(({ target }) => target.authority))
    const lifetimeMs = settings.everyMs * Math.max(2, settings.samples)
    for (const host of down) await records.put(downName(host), '1', lifetimeMs)
    for (const host of before) if (!down.has(host)) await records.remove(downName(host))
  }
  const round = async (): Promise<void> => {
    try {
      const before = down
      if (await holdsLease()) {
        await Promise.all(checks.map(checkHost))
        await writeDown(before)
      } else down = new Set(await readDown())
    } catch (cause) {
      log.warn('hosts could not be checked', { cause: String(cause) })
    }
  }
  const scheduleNext = () => {
    cancel = clock.after(settings.everyMs, () => {
      cancel = undefined
      if (closed || checks.length === 0) return
      scheduleNext()
      // Skips a round while the previous one still runs.
      if (underWay) return
      underWay = true
      void round().finally(() => {
        underWay = false
      })
    })
  }

  return {
    serve(definitions) {
      if (settings.disabled) return
      const read = definitions.map(readHostChecks)
      checks = read.flatMap((one) => one.checks)
      states = new Map(
        checks.map((check) => [nameOf(check), states.get(nameOf(check)) ?? new HostState(settings.samples)]),
      )
      const named = new Set(checks.map(({ target }) => target.authority))
      down = new Set([...down].filter((host) => named.has(host)))
      const urls = read.flatMap(({ unusable }) => unusable)
      if (urls.length > 0) log.warn('some uptime tests are ignored: only http and https URLs are supported', { urls })
      if (checks.length > 0 && cancel === undefined && !closed) scheduleNext()
    },
    isDown: (host) => down.has(host),
    close() {
      closed = true
      cancel?.()
    },
  }
}

function nameOf({ api, method, url }: HostCheck): string {
  return `${api.id} ${method} ${url}`
}

function downName(host: string): string {
  return `host-checker:PollerCheckerInstance:${host}`
}
