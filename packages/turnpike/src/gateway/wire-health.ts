/** Data of the probes and of /svc/health: store checks, and request counts of each API. */
import type { Clock, RecordSink, Store } from '@turnpike/core'
import { type ApiHealth, makeHealthCounters, makeStoreWatch, type StoreWatch } from '@turnpike/mgmt-api'
import type { GatewayConfig } from '../config/config-shape.ts'

const nanosPerMs = 1_000_000

export interface WiredHealth {
  readonly watch: StoreWatch
  /** Count requests for `of`; empty unless `health_check.enable_health_checks` is set. */
  readonly sinks: readonly RecordSink[]
  of(apiId: string): ApiHealth
  stop(): void
}

export function wireHealth(store: Store, config: GatewayConfig, clock: Clock): WiredHealth {
  const nanos = config.livenessCheck.checkDuration
  const watch = nanos > 0 ? makeStoreWatch(store, clock, Math.max(1, nanos / nanosPerMs)) : makeStoreWatch(store, clock)
  const { enableHealthChecks, healthCheckValueTimeouts } = config.healthCheck
  const counters = makeHealthCounters(clock, healthCheckValueTimeouts)
  return { watch, sinks: enableHealthChecks ? [counters] : [], of: counters.of, stop: watch.stop }
}
