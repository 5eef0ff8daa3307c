/** Creates health, events, analytics records, metrics, and the listeners that a program registers. */
import type { ReloadReport } from '@turnpike/core/engine'
import { hashKeyName } from '@turnpike/core/lib'
import { makeEvents, type RunEventScript, type RunningEvents } from '@turnpike/core/observability'
import type { RecordSink, RequestRecord } from '@turnpike/core/pipeline'
import type { KeyEvent } from '@turnpike/core/session'
import { type HealthCounters, makeHealthCounters, makeStoreWatch, type StoreWatch } from '@turnpike/mgmt-api'
import type { Platform } from './create-platform.ts'
import { type Listeners, makeListeners } from './listeners.ts'
import { makeRequestWatch, type RequestWatch } from './request-watch.ts'
import type { Storage } from './storage.ts'
import { type WiredMetrics, wireMetrics } from './wire-metrics.ts'
import { type WiredRecords, wireRecords } from './wire-records.ts'
import { logSinks } from './write-access-log.ts'

/** How long `close` waits for web hooks in progress. */
const eventShutdownMs = 5000
const nanosPerMs = 1_000_000

export interface Telemetry {
  /** Checks the store for the probes. */
  readonly storeWatch: StoreWatch
  /** Counts the requests of each API for /svc/health; empty unless `health_check.enable_health_checks` is set. */
  readonly healthCounters: HealthCounters
  readonly events: RunningEvents
  /** Fires the events of keys that were created, changed or removed. */
  readonly announce: (event: KeyEvent) => void
  /** Runs event scripts; it is set once the engine exists, which is created after the event handlers. */
  readonly eventScripts: { run: RunEventScript | undefined }
  readonly records: WiredRecords
  /** `undefined` if metrics are disabled. */
  readonly metrics: WiredMetrics | undefined
  readonly requests: Listeners<RequestRecord>
  readonly reloads: Listeners<ReloadReport>
  readonly requestWatch: RequestWatch
  /** Receive a record of every request. */
  readonly recordSinks: readonly RecordSink[]
}

export async function createTelemetry(platform: Platform, storage: Storage): Promise<Telemetry> {
  const { options, config, clock, log, lifecycle } = platform
  const records = await wireRecords(config, clock, log, storage.storeSinks)
  lifecycle.onClose(() => records.close())
  const eventScripts: Telemetry['eventScripts'] = { run: undefined }
  const events = createEvents(platform, storage, eventScripts)
  lifecycle.onClose(() => events.close(eventShutdownMs))
  const checkNanos = config.livenessCheck.checkDuration
  const periodMs = checkNanos > 0 ? Math.max(1, checkNanos / nanosPerMs) : undefined
  const storeWatch = makeStoreWatch(storage.store, clock, periodMs)
  lifecycle.onClose(() => storeWatch.stop())
  const { enableHealthChecks, healthCheckValueTimeouts } = config.healthCheck
  const healthCounters = makeHealthCounters(clock, healthCheckValueTimeouts)
  const metrics = await wireMetrics(config, options.worker)
  const logFailure = (cause: unknown) => log.error('a listener failed', { cause: String(cause) })
  const requests = makeListeners<RequestRecord>(logFailure)
  const recordSinks: RecordSink[] = [...(enableHealthChecks ? [healthCounters] : []), ...logSinks(config, log)]
  if (metrics !== undefined) recordSinks.push(metrics.sink)
  // The dashboard shows requests, so it observes them even if `observeRequests` is false.
  if (options.observeRequests !== false || config.dashboard.enabled) recordSinks.push({ record: requests.notify })
  return {
    ...{ storeWatch, healthCounters, events, eventScripts, records, metrics, requests, recordSinks },
    announce: ({ name, message, orgId, keyName }) =>
      events.fire({
        name,
        api: undefined,
        at: clock.now(),
        facts: { about: 'key', message, orgId, key: keyName, keyLogName: hashKeyName(keyName) },
      }),
    reloads: makeListeners<ReloadReport>(logFailure),
    requestWatch: makeRequestWatch(),
  }
}

/** Configures the events of one gateway: handlers of the configuration, the quota monitor, and template files. */
function createEvents(
  { config, readTemplate, clock, ids, log, upstream }: Platform,
  { dedupKeys }: Storage,
  eventScripts: Telemetry['eventScripts'],
): RunningEvents {
  const { enableTriggerMonitors, configuration, globalTriggerLimit, monitorUserKeys, monitorOrgKeys } = config.monitor
  return makeEvents({
    ...{ clock, ids, log, upstream, dedupKeys, readTemplate },
    vendor: config.vendor,
    insecure: config.proxySslInsecureSkipVerify,
    publicOnly: config.privateUrls === 'forbid',
    handlers: config.eventHandlers.events,
    monitor: enableTriggerMonitors
      ? { globalLimit: globalTriggerLimit, userKeys: monitorUserKeys, orgKeys: monitorOrgKeys, hook: configuration }
      : undefined,
    runScript: config.enableJsvm ? (...call) => eventScripts.run?.(...call) : undefined,
  })
}
