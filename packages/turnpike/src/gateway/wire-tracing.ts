/**
 * Traces and metrics for an OpenTelemetry collector. The module is loaded only if `opentelemetry.enabled` is set.
 * Source: docs/reference/opentelemetry.md.
 */
import { hostname } from 'node:os'
import type { OtlpTelemetry, OtlpTls, StoreObserver } from '@turnpike/adapters/telemetry-otlp'
import type { Tracing } from '@turnpike/core/pipeline'
import { collectorUrlOf } from '../config/collector-url.ts'
import type { GatewayConfig } from '../config/config-shape.ts'
import { version } from '../version.ts'
import type { Platform } from './create-platform.ts'
import { nowMicros } from './now-micros.ts'
import { readPem } from './read-pem.ts'

export interface WiredTracing {
  /** `undefined`: requests have no spans. */
  readonly tracing: Tracing | undefined
  /** `undefined`: commands of the store have no spans. */
  readonly storeObserver: StoreObserver | undefined
}

/** Longest time that the last export may delay the end of the gateway. */
const maxCloseMs = 5000

/** Rejects with `ConfigError` if a TLS file cannot be read. */
export async function wireTracing(platform: Platform): Promise<WiredTracing> {
  const { options, config, settings, clock, ids, log, lifecycle } = platform
  const { opentelemetry, storage } = config
  if (!opentelemetry.enabled) return { tracing: undefined, storeObserver: undefined }
  const { makeOtlpTelemetry } = await import('@turnpike/adapters/telemetry-otlp')
  const { resourceName, sampling, metrics, contextPropagation, spanProcessorType } = opentelemetry
  const telemetry: OtlpTelemetry = makeOtlpTelemetry({
    ...{ clock, ids, log, sampling, routing: settings.routing },
    // A clock that a test advances also measures durations.
    ...(options.clock === undefined ? { nowMicros } : {}),
    collector: collectorOf(opentelemetry),
    resource: {
      attributes: {
        'service.name': resourceName,
        'service.version': version,
        'service.instance.id': ids.uuid(),
        'host.name': hostname(),
        'process.pid': process.pid,
        'telemetry.sdk.language': 'nodejs',
        'telemetry.sdk.name': 'turnpike',
        'telemetry.sdk.version': version,
      },
      scope: { name: 'turnpike', version },
    },
    propagation: contextPropagation,
    processor: spanProcessorType,
    metricsIntervalMs: metrics.enabled ? metrics.exportInterval * 1000 : undefined,
    storeSystem: (options.store ?? storage.type) === 'redis' ? 'redis' : undefined,
  })
  lifecycle.onClose((graceMs) => telemetry.close(Math.min(maxCloseMs, Math.max(graceMs, 500))))
  return { tracing: telemetry.tracing, storeObserver: telemetry.store }
}

function collectorOf({ endpoint, headers, connectionTimeout, tls }: GatewayConfig['opentelemetry']) {
  return {
    // `check-opentelemetry.ts` has rejected endpoints that are no URL.
    endpoint: collectorUrlOf(endpoint, tls.enable)?.href ?? endpoint,
    headers: headers ?? {},
    timeoutMs: connectionTimeout * 1000,
    tls: tlsOf(tls),
  }
}

function tlsOf({
  insecureSkipVerify,
  caFile,
  certFile,
  keyFile,
  minVersion,
  maxVersion,
}: GatewayConfig['opentelemetry']['tls']): OtlpTls {
  const read = (file: string, name: string) => (file === '' ? undefined : readPem(file, `opentelemetry.tls.${name}`))
  return {
    insecure: insecureSkipVerify,
    ca: read(caFile, 'ca_file'),
    cert: read(certFile, 'cert_file'),
    key: read(keyFile, 'key_file'),
    minVersion: versionOf(minVersion),
    maxVersion: versionOf(maxVersion),
  }
}

const versionOf = (text: string) => (text === '1.0' ? 'TLSv1' : `TLSv${text}`) as OtlpTls['minVersion']
