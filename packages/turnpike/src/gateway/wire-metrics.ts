/**
 * Serves metrics on a path of the management port or on a separate port. The modules are loaded only if
 * `metrics.enabled` is set. Metrics contain no key, client or path, so the endpoint requires no management key.
 */
import type { CollectedMetrics } from '@turnpike/adapters/metrics-prom'
import type { Engine, ReloadReport } from '@turnpike/core/engine'
import { headerOf } from '@turnpike/core/http'
import type { BreakerChange, RunningAnalytics, RunningEvents } from '@turnpike/core/observability'
import type { RecordSink } from '@turnpike/core/pipeline'
import type { Handle } from '@turnpike/core/ports'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { GatewayWorker } from './gateway-options.ts'
import type { Storage } from './storage.ts'

export interface WiredMetrics {
  readonly path: string
  /** 0: the port of the management API. */
  readonly port: number
  readonly handle: Handle
  readonly sink: RecordSink
  readonly reloaded: (report: ReloadReport) => void
  readonly breakerChanged: (change: BreakerChange) => void
  /** Sets the sources of counters that other components keep. */
  observe(
    engine: Engine,
    events: RunningEvents,
    analytics: RunningAnalytics | undefined,
    store?: Storage['storeCounts'],
  ): void
}

/** Resolves with `undefined` if metrics are disabled. A worker responds with the sum over all workers. */
export async function wireMetrics(
  { metrics }: Pick<GatewayConfig, 'metrics'>,
  worker?: GatewayWorker | undefined,
): Promise<WiredMetrics | undefined> {
  if (!metrics.enabled) return undefined
  const { makePromMetrics } = await import('@turnpike/adapters/metrics-prom')
  const prom = makePromMetrics()
  worker?.member.handle('metrics', prom.collect)
  const collectAll = async () => (await worker?.member.requestAll('metrics')) as CollectedMetrics[] | undefined
  const path = metrics.path === '' ? '/metrics' : `/${metrics.path.replace(/^\/+/, '')}`
  return {
    path,
    port: metrics.listenPort,
    sink: prom,
    reloaded: prom.reloaded,
    breakerChanged: prom.breakerChanged,
    observe(engine, events, analytics, store) {
      prom.setSources({
        breakers: engine.breakers,
        events: events.counts,
        ...(analytics === undefined ? {} : { analytics: analytics.counts }),
        ...(store === undefined ? {} : { store }),
      })
    },
    async handle(request) {
      if (request.path !== path) return plain(404, 'Not Found\n')
      if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Method Not Allowed\n', 'GET, HEAD')
      const { contentType, text } = await prom.render(headerOf(request.headers, 'accept'), await collectAll())
      return { status: 200, headers: ['content-type', contentType, 'vary', 'accept'], body: text }
    },
  }
}

function plain(status: number, body: string, allow?: string) {
  const headers = ['content-type', 'text/plain; charset=utf-8', ...(allow === undefined ? [] : ['allow', allow])]
  return { status, headers, body }
}
