/**
 * Logs requests: one line each with `access_logs`, and unknown paths as errors with `track_404_logs`.
 * Source: docs/reference/logs.md#access-log.
 */
import type { Log, RecordSink, RequestRecord } from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'

/** Returns the configured sinks; by default none, so requests cost nothing here. */
export function logSinks(config: Pick<GatewayConfig, 'accessLogs' | 'track404Logs'>, log: Log): RecordSink[] {
  const sinks: RecordSink[] = []
  if (config.accessLogs.enabled) sinks.push(accessLog(config.accessLogs.template ?? [], log))
  if (config.track404Logs) sinks.push(unknownPaths(log))
  return sinks
}

/** `template` lists the fields to log; empty means all. */
function accessLog(template: readonly string[], log: Log): RecordSink {
  const kept = template.length === 0 ? undefined : new Set(template)
  return {
    record(entry) {
      const fields = Object.entries(accessFields(entry)).filter(([name]) => kept === undefined || kept.has(name))
      log.info('', { prefix: 'access-log', ...Object.fromEntries(fields) })
    },
  }
}

function accessFields(entry: RequestRecord): Record<string, unknown> {
  const { rejection } = entry
  const key = entry.keyLogName === '' ? '--' : `****${entry.keyLogName.slice(-4)}`
  return {
    api_id: entry.apiId,
    api_key: key,
    api_name: entry.apiName,
    api_type: 'classic',
    client_ip: entry.clientAddress,
    host: entry.host,
    latency_gateway: Math.max(0, entry.totalMs - entry.upstreamMs),
    latency_total: entry.totalMs,
    method: entry.method,
    org_id: entry.orgId,
    path: entry.path,
    protocol: 'HTTP/1.1',
    remote_addr: entry.clientAddress,
    status: entry.status,
    type: 'request',
    upstream_addr: entry.upstreamAddress,
    upstream_latency: entry.upstreamMs,
    user_agent: entry.userAgent,
    ...(rejection === undefined
      ? {}
      : {
          response_flag: rejection.code,
          response_code_details: rejection.message,
          error_source: rejection.stage,
          // Empty if the gateway rejected the request without calling an upstream.
          error_target: entry.upstreamAddress,
        }),
  }
}

function unknownPaths(log: Log): RecordSink {
  return {
    record({ apiId, status, method, path, clientAddress }) {
      if (apiId === '' && status === 404) log.error('path not found', { method, path, client: clientAddress })
    },
  }
}
