/**
 * Writes the access log: one line for each request with `access_logs`, and unknown paths as errors with
 * `track_404_logs`. The stage `pipeline/7-record/access-log.ts` of core collects the fields.
 * Source: docs/reference/logs.md#access-log.
 */
import type { AccessLog, RecordSink } from '@turnpike/core/pipeline'
import type { Log } from '@turnpike/core/ports'
import type { GatewayConfig } from '../config/config-shape.ts'

/** Returns the configured sinks; by default none, so requests cost nothing here. */
export function logSinks({ track404Logs }: Pick<GatewayConfig, 'track404Logs'>, log: Log): RecordSink[] {
  return track404Logs ? [unknownPaths(log)] : []
}

/** Fields that a template cannot remove, except from the line of an upstream that cannot be reached. */
const alwaysKept = ['api_id', 'api_name', 'org_id', 'type', 'mw', 'origin', 'key']

/** Writes the access log; `undefined` unless it is enabled. `template` lists the fields to log; empty means all. */
export function accessLogOf({ accessLogs }: Pick<GatewayConfig, 'accessLogs'>, log: Log): AccessLog | undefined {
  if (!accessLogs.enabled) return undefined
  const template = accessLogs.template ?? []
  const named = new Set(template)
  const kept = new Set([...template, ...alwaysKept])
  return {
    write({ fields, isUpstreamFailure }) {
      const names = template.length === 0 ? undefined : isUpstreamFailure ? named : kept
      const shown = Object.entries(fields).filter(([name]) => names === undefined || names.has(name))
      log.info('', { prefix: 'access-log', ...Object.fromEntries(shown.sort(byName)) })
    },
  }
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

function unknownPaths(log: Log): RecordSink {
  return {
    record({ apiId, status, method, path, clientAddress }) {
      if (apiId === '' && status === 404) log.error('path not found', { method, path, client: clientAddress })
    },
  }
}
