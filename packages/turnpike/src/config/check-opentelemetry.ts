/** Checks the section `opentelemetry` for values with which nothing could be exported. */
import { makeNote, type Note } from '@turnpike/core/definition'
import type { JsonPath } from '@turnpike/core/lib'
import { collectorUrlOf } from './collector-url.ts'
import type { GatewayConfig } from './config-shape.ts'

/** Port of OTLP over gRPC, by convention. */
const grpcPort = '4317'

/** Returns no errors if the section is switched off. */
export function checkOpentelemetry({ opentelemetry }: Pick<GatewayConfig, 'opentelemetry'>): Note[] {
  const { enabled, exporter, sampling, metrics, connectionTimeout, tls } = opentelemetry
  const notes: Note[] = []
  const add = (path: JsonPath, problem: string, fix: string) =>
    notes.push(makeNote('out-of-range', ['opentelemetry', ...path], { problem, fix }))
  if (!enabled) {
    if (metrics.enabled) {
      notes.push(makeNote('telemetry-switched-off', ['opentelemetry', 'metrics', 'enabled']))
    }
    return notes
  }
  if (exporter === 'grpc') {
    const fix = 'set it to "http", and endpoint to the HTTP port of the collector, such as http://localhost:4318'
    const problem = '"grpc" is not supported: traces and metrics are sent over HTTP'
    notes.push(makeNote('unsupported-value', ['opentelemetry', 'exporter'], { problem, fix }))
  } else notes.push(...checkEndpoint(opentelemetry))
  if (sampling.rate < 0 || sampling.rate > 1) {
    add(['sampling', 'rate'], `${sampling.rate} is not a share`, 'use 0 to 1, for example 0.01')
  }
  if (connectionTimeout < 1) add(['connection_timeout'], `${connectionTimeout} is below 1`, 'use 1 or more seconds')
  if (metrics.exportInterval < 1) {
    add(['metrics', 'export_interval'], `${metrics.exportInterval} is below 1`, 'use 1 or more seconds')
  }
  if ((tls.certFile === '') !== (tls.keyFile === '')) {
    add(['tls'], 'has only one of cert_file and key_file', 'set both, or none')
  }
  for (const [name, version] of [
    ['min_version', tls.minVersion],
    ['max_version', tls.maxVersion],
  ] as const) {
    if (/^1\.[0-3]$/.test(version)) continue
    add(['tls', name], `"${version}" is not a version of TLS`, 'use "1.2" or "1.3"')
  }
  return notes
}

function checkEndpoint({ endpoint, tls }: GatewayConfig['opentelemetry']): Note[] {
  const path = ['opentelemetry', 'endpoint']
  const url = collectorUrlOf(endpoint, tls.enable)
  if (url === undefined) {
    return [makeNote('telemetry-endpoint', path, { endpoint })]
  }
  return url.port === grpcPort ? [makeNote('telemetry-port-of-grpc', path, { port: grpcPort })] : []
}
