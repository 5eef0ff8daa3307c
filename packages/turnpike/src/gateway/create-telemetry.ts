/** Creates health, events, analytics records, metrics, and the listeners that a program registers. */
import type { KeyEvent, Log, RecordSink, ReloadReport, RequestRecord, RunningEvents } from '@turnpike/core'
import type { Platform } from './create-platform.ts'
import type { GatewayOptions } from './gateway-options.ts'
import type { Lifecycle } from './lifecycle.ts'
import { type Listeners, makeListeners } from './listeners.ts'
import type { Storage } from './open-storage.ts'
import { makeRequestWatch, type RequestWatch } from './request-watch.ts'
import { type EventScriptRunner, wireEvents } from './wire-events.ts'
import { type WiredHealth, wireHealth } from './wire-health.ts'
import { type WiredMetrics, wireMetrics } from './wire-metrics.ts'
import { type WiredRecords, wireRecords } from './wire-records.ts'
import { logSinks } from './write-access-log.ts'

/** How long `close` waits for web hooks in progress. */
const eventShutdownMs = 5000

export interface Telemetry {
  readonly health: WiredHealth
  readonly events: RunningEvents
  /** Fires the events of keys that were created, changed or removed. */
  readonly announce: (event: KeyEvent) => void
  readonly eventScripts: EventScriptRunner
  readonly records: WiredRecords
  /** `undefined` if metrics are disabled. */
  readonly metrics: WiredMetrics | undefined
  readonly requests: Listeners<RequestRecord>
  readonly reloads: Listeners<ReloadReport>
  readonly requestWatch: RequestWatch
  /** Receive a record of every request. */
  readonly recordSinks: readonly RecordSink[]
}

export async function createTelemetry(
  options: GatewayOptions,
  platform: Platform,
  { store, dedupKeys, sinks: storeSinks }: Storage,
  lifecycle: Lifecycle,
): Promise<Telemetry> {
  const { config, clock, log, upstream, readTemplate } = platform
  const records = await wireRecords(config, clock, log, storeSinks)
  lifecycle.onClose(() => records.close())
  const eventScripts: EventScriptRunner = { run: undefined }
  const { events, announce } = wireEvents({ config, readTemplate, clock, log, upstream, dedupKeys, eventScripts })
  lifecycle.onClose(() => events.close(eventShutdownMs))
  const health = wireHealth(store, config, clock)
  lifecycle.onClose(() => health.stop())
  const metrics = await wireMetrics(config)
  const requests = makeListeners<RequestRecord>(logFailure(log))
  const recordSinks = [...health.sinks, ...logSinks(config, log)]
  if (metrics !== undefined) recordSinks.push(metrics.sink)
  // The dashboard shows requests, so it observes them even if `observeRequests` is false.
  if (options.observeRequests !== false || config.dashboard.enabled) recordSinks.push({ record: requests.notify })
  const reloads = makeListeners<ReloadReport>(logFailure(log))
  const requestWatch = makeRequestWatch()
  return { health, events, announce, eventScripts, records, metrics, requests, reloads, requestWatch, recordSinks }
}

function logFailure(log: Log): (cause: unknown) => void {
  return (cause) => log.error('a listener failed', { cause: String(cause) })
}
