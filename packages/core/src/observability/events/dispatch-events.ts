/**
 * Dispatches events to their handlers. The handlers of an API are created on first use and live as long as its
 * definition. Each web hook has a queue, so that requests do not wait for deliveries.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { EventName } from '../../definition/event-names.ts'
import { vendorForms } from '../../lib/vendor.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DedupKeys } from '../../ports/dedup-keys.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { GatewayEvent } from './event.ts'
import type { EventHandler } from './event-handler.ts'
import type { Events } from './events.ts'
import { makeHookLinks } from './hook-links.ts'
import type { QuotaMonitor } from './quota-monitor.ts'
import { type HandlerServices, readHandler, readWebHook } from './read-handlers.ts'
import type { RunEventScript } from './script-handler.ts'

export interface EventsOptions {
  readonly clock: Clock
  readonly upstream: Upstream
  readonly log: Log
  readonly dedupKeys: DedupKeys
  /** Vendor word. */
  readonly vendor: string
  /** `event_handlers.events` of the configuration: handlers of events without an API, such as those of keys. */
  readonly handlers?: Listed | undefined
  /** `monitor` of the configuration, with its web hook. */
  readonly monitor?: (QuotaMonitor & { readonly hook: unknown }) | undefined
  /** Reads a template file. Absent: no hook has a template. */
  readonly readTemplate?: (path: string) => string | undefined
  /** Random values of templates. Absent: templates that need them fail. */
  readonly ids?: Ids | undefined
  /** Runs event scripts. Absent: their handlers are left out. */
  readonly runScript?: RunEventScript | undefined
  /** Do not verify the certificates of the hooks' servers. */
  readonly insecure?: boolean
  /** Call servers with public addresses only. Default: false. */
  readonly publicOnly?: boolean
  /** Called synchronously for every event; must not throw. */
  readonly listener?: ((event: GatewayEvent) => void) | undefined
}

export interface EventCounts {
  readonly fired: number
  readonly sent: number
  readonly failed: number
  /** Not sent, because an equal request was sent before. */
  readonly repeated: number
  /** Dropped, because the queue of the hook was full. */
  readonly dropped: number
}

export interface RunningEvents extends Events {
  /** Returns the counts of web hooks since the start. */
  counts(): EventCounts
  /** Waits for pending deliveries, at most `graceMs`. */
  close(graceMs: number): Promise<void>
}

type Listed = Readonly<Record<string, readonly unknown[] | null>> | null
type Handlers = ReadonlyMap<string, readonly EventHandler[]>

export function makeEvents(options: EventsOptions): RunningEvents {
  const { clock, log, listener } = options
  const counts = { fired: 0, sent: 0, failed: 0, repeated: 0, dropped: 0 }
  let pending = 0
  let onIdle: (() => void) | undefined
  const links = makeHookLinks(options.upstream, clock, {
    insecure: options.insecure ?? false,
    ...(options.publicOnly === true ? { publicOnly: true } : {}),
  })
  const services: HandlerServices = {
    clock,
    log,
    dedupKeys: options.dedupKeys,
    links,
    userAgent: `${vendorForms(options.vendor).title}-Hookshot`,
    readTemplate: options.readTemplate ?? (() => undefined),
    ids: options.ids,
    runScript: options.runScript,
    taken: () => {
      pending++
    },
    count: (result) => {
      counts[result]++
      if (--pending === 0) onIdle?.()
      // Logs one in a thousand, so that a flood of events does not flood the log.
      if (result === 'dropped' && counts.dropped % 1000 === 1)
        log.error('events are dropped', { dropped: counts.dropped })
    },
  }
  const own = readAll(options.handlers ?? null, services, { where: 'configuration' })
  const monitorHook =
    options.monitor === undefined ? undefined : usable(readWebHook(options.monitor.hook, services), log)
  const byApi = new WeakMap<ApiDefinition, Handlers>()

  const handlersOf = (api: ApiDefinition | undefined): Handlers => {
    if (api === undefined) return own
    let handlers = byApi.get(api)
    if (handlers === undefined) {
      handlers = readAll(api.document.eventHandlers.events, services, { api: api.id })
      byApi.set(api, handlers)
    }
    return handlers
  }

  return {
    monitor: options.monitor,
    hasHandler(name, api) {
      const byMonitor = name === 'TriggerExceeded' && monitorHook !== undefined
      return listener !== undefined || byMonitor || handlersOf(api).has(name)
    },
    fire(event) {
      counts.fired++
      listener?.(event)
      if (event.name === 'TriggerExceeded' && monitorHook !== undefined) monitorHook.handle(event)
      for (const handler of handlersOf(event.api).get(event.name) ?? []) handler.handle(event)
    },
    counts: () => ({ ...counts }),
    async close(graceMs) {
      if (pending > 0) {
        await new Promise<void>((resolve) => {
          const giveUp = clock.after(graceMs, resolve)
          onIdle = () => {
            giveUp()
            resolve()
          }
        })
      }
      links.close()
    },
  } satisfies RunningEvents
}

function readAll(listed: Listed, services: HandlerServices, whose: Readonly<Record<string, string>>): Handlers {
  const handlers = new Map<string, readonly EventHandler[]>()
  for (const [name, entries] of Object.entries(listed ?? {})) {
    const made = (entries ?? []).map((entry) =>
      usable(readHandler(entry, services), services.log, { event: name, ...whose }),
    )
    const used = made.filter((handler) => handler !== undefined)
    if (used.length > 0) handlers.set(name as EventName, used)
  }
  return handlers
}

function usable(
  made: EventHandler | { readonly problem: string } | undefined,
  log: Log,
  facts: Readonly<Record<string, string>> = { where: 'monitor' },
): EventHandler | undefined {
  if (made === undefined || !('problem' in made)) return made
  log.error('an event handler is ignored', { ...facts, reason: made.problem })
  return undefined
}
