/** Checks the section `opentelemetry` for values with which nothing could be exported. */
import type { JsonPath } from '@turnpike/core/lib'
import { collectorUrlOf } from './collector-url.ts'
import type { ConfigNote } from './config-note.ts'
import type { GatewayConfig } from './config-shape.ts'

/** Port of OTLP over gRPC, by convention. */
const grpcPort = '4317'

/** Returns no errors if the section is switched off. */
export function checkOpentelemetry({ opentelemetry }: Pick<GatewayConfig, 'opentelemetry'>): ConfigNote[] {
  const { enabled, exporter, sampling, metrics, connectionTimeout, tls } = opentelemetry
  const notes: ConfigNote[] = []
  const add = (severity: 'error' | 'warning', path: JsonPath, reason: string, fix: string) =>
    notes.push({ severity, path: ['opentelemetry', ...path], reason, fix })
  if (!enabled) {
    if (metrics.enabled) {
      add('warning', ['metrics', 'enabled'], 'has no effect without opentelemetry.enabled', 'set opentelemetry.enabled')
    }
    return notes
  }
  if (exporter === 'grpc') {
    const fix = 'set it to "http", and endpoint to the HTTP port of the collector, such as http://localhost:4318'
    add('error', ['exporter'], '"grpc" is not supported: traces and metrics are sent over HTTP', fix)
  } else notes.push(...checkEndpoint(opentelemetry))
  if (sampling.rate < 0 || sampling.rate > 1) {
    add('error', ['sampling', 'rate'], `${sampling.rate} is not a share`, 'use 0 to 1, for example 0.01')
  }
  if (connectionTimeout < 1)
    add('error', ['connection_timeout'], `${connectionTimeout} is below 1`, 'use 1 or more seconds')
  if (metrics.exportInterval < 1) {
    add('error', ['metrics', 'export_interval'], `${metrics.exportInterval} is below 1`, 'use 1 or more seconds')
  }
  if ((tls.certFile === '') !== (tls.keyFile === '')) {
    add('error', ['tls'], 'has only one of cert_file and key_file', 'set both, or none')
  }
  for (const [name, version] of [
    ['min_version', tls.minVersion],
    ['max_version', tls.maxVersion],
  ] as const) {
    if (/^1\.[0-3]$/.test(version)) continue
    add('error', ['tls', name], `"${version}" is not a version of TLS`, 'use "1.2" or "1.3"')
  }
  return notes
}

function checkEndpoint({ endpoint, tls }: GatewayConfig['opentelemetry']): ConfigNote[] {
  const path = ['opentelemetry', 'endpoint']
  const url = collectorUrlOf(endpoint, tls.enable)
  if (url === undefined) {
    const reason = `"${endpoint}" is neither an http or https URL nor a host with a port`
    return [{ severity: 'error', path, reason, fix: 'use for example http://localhost:4318' }]
  }
  if (url.port !== grpcPort) return []
  const reason = `${grpcPort} is usually the port for gRPC, which is not supported`
  return [{ severity: 'warning', path, reason, fix: 'use the HTTP port of the collector, usually 4318' }]
}
