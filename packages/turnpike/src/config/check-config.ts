/** Checks of a configuration beyond types: values out of range, conflicting keys, and dangerous settings. */

import {
  findUnsupported,
  lintEventHandlers,
  lintHook,
  makeNote,
  type Note,
  type Report,
  readErrorOverrides,
} from '@turnpike/core/definition'
import { isNothing, type JsonPath, memberOf } from '@turnpike/core/lib'
import { checkAllowed } from './allowed-findings.ts'
import { checkAccessLogs } from './check-access-logs.ts'
import { checkDashboard } from './check-dashboard.ts'
import { checkOpentelemetry } from './check-opentelemetry.ts'
import { checkPorts } from './check-ports-whitelist.ts'
import { checkSwitches } from './check-switches.ts'
import type { GatewayConfig } from './config-shape.ts'
import { isSwitchedOff, tuningKeys, unsupportedInConfig } from './config-support.ts'
import { sampleSecret } from './keys/server-keys.ts'
import { isLoopback } from './loopback.ts'
import { hashFunctionOf, hashFunctions } from './to-settings.ts'

const outOfRange = (path: JsonPath, problem: string, fix: string) => makeNote('out-of-range', path, { problem, fix })
const excluded = (path: JsonPath, problem: string, fix: string) =>
  makeNote('keys-exclude-each-other', path, { problem, fix })

/** Returns all findings about a configuration whose types are valid. */
export function checkConfig(config: GatewayConfig): Note[] {
  return [
    ...checkServer(config),
    ...checkPorts(config),
    ...checkSecurity(config),
    ...checkSwitches(config),
    ...checkStorage(config),
    ...checkLimits(config),
    ...checkDashboard(config),
    ...checkEvents(config),
    ...checkErrorOverrides(config),
    ...checkAccessLogs(config),
    ...checkOpentelemetry(config),
    ...checkAllowed(config),
  ]
}

/** Reports invalid handlers as warnings, because the gateway starts without them. */
function checkEvents({ eventHandlers, monitor }: GatewayConfig): Note[] {
  const notes: Note[] = []
  const report: Report = (id, path, ...values) => {
    notes.push({ ...makeNote(id, path, ...values), severity: 'warning' })
  }
  lintEventHandlers(eventHandlers.events, report)
  if (monitor.enableTriggerMonitors) lintHook(monitor.configuration, ['monitor', 'configuration'], report)
  return notes
}

function checkErrorOverrides({ errorOverrides }: GatewayConfig): Note[] {
  return readErrorOverrides(errorOverrides).problems.map(({ path, message: problem }) =>
    makeNote('invalid-error-override', ['error_overrides', ...path], { problem }),
  )
}

function checkServer(config: GatewayConfig): Note[] {
  const notes: Note[] = []
  const ports = [
    [['listen_port'], config.listenPort],
    [['control_api_port'], config.controlApiPort],
    [['echo', 'listen_port'], config.echo.listenPort],
    [['metrics', 'listen_port'], config.metrics.listenPort],
  ] as const
  for (const [path, port] of ports) {
    if (port < 0 || port > 65_535) notes.push(outOfRange(path, `${port} is not a port`, 'ports are 0 to 65535'))
  }
  if (!/^[a-z][a-z0-9]*$/i.test(config.vendor)) {
    const reason = `"${config.vendor}" is not allowed in paths and headers`
    notes.push(outOfRange(['vendor'], reason, 'use letters and digits, a letter first'))
  }
  for (const [key, name] of [
    ['health_check_endpoint_name', config.healthCheckEndpointName],
    ['readiness_check_endpoint_name', config.readinessCheckEndpointName],
  ] as const) {
    if (!/^(\/?[\w.~-]+)*$/.test(name))
      notes.push(outOfRange([key], `"${name}" is not a path`, 'use a plain word such as hello'))
  }
  const times = [
    [['proxy_default_timeout'], config.proxyDefaultTimeout],
    [['stream_idle_timeout'], config.streamIdleTimeout],
    [['write_timeout'], config.writeTimeout],
    [['websocket_idle_timeout'], config.websocketIdleTimeout],
    [['websocket_max_buffer_size'], config.websocketMaxBufferSize],
    [['websocket_max_total_buffer_size'], config.websocketMaxTotalBufferSize],
    [['graceful_shutdown_timeout_duration'], config.gracefulShutdownTimeoutDuration],
    [['http_server_options', 'max_request_body_size'], config.httpServerOptions.maxRequestBodySize],
    [['http_server_options', 'xff_depth'], config.httpServerOptions.xffDepth],
    [['batch', 'max_body_bytes'], config.batch.maxBodyBytes],
  ] as const
  const counts = [
    [['head_timeout'], config.headTimeout],
    [['idle_timeout'], config.idleTimeout],
    [['max_management_body_size'], config.maxManagementBodySize],
    [['batch', 'max_items'], config.batch.maxItems],
    [['batch', 'max_concurrency'], config.batch.maxConcurrency],
    [['batch', 'max_response_bytes'], config.batch.maxResponseBytes],
  ] as const
  for (const [path, value] of counts)
    if (value < 1) notes.push(outOfRange(path, `${value} is below 1`, 'use 1 or more'))
  for (const [path, value] of times) if (value < 0) notes.push(outOfRange(path, `${value} is below 0`, 'use 0 or more'))
  if (config.httpServerOptions.useSsl && config.frontEnd === 'uws') {
    const fix = 'use "auto" or "http1" with http_server_options.use_ssl'
    notes.push(excluded(['front_end'], 'is "uws", which has no TLS', fix))
  }
  return notes
}

function checkSecurity(config: GatewayConfig): Note[] {
  const notes: Note[] = []
  if (config.secret === '') {
    notes.push(makeNote('empty-secret', ['secret']))
  } else if (config.secret === sampleSecret && !isLoopback(config.listenAddress)) {
    notes.push(makeNote('sample-secret', ['secret']))
  }
  if (config.hashKeys && config.hashKeyFunction !== 'sha256') {
    const used = hashFunctionOf(config.hashKeyFunction) || 'murmur32'
    notes.push(makeNote('invertible-key-hash', ['hash_keys'], { used }))
  }
  if (!hashFunctions.includes(config.hashKeyFunction)) {
    notes.push(makeNote('unknown-key-hash', ['hash_key_function'], { name: config.hashKeyFunction }))
  }
  if (config.storage.type === 'redis' && config.nodeSecret === '') {
    notes.push(makeNote('empty-node-secret', ['node_secret']))
  }
  if (config.allowMasterKeys) {
    notes.push(makeNote('master-keys', ['allow_master_keys']))
  }
  return notes
}

function checkStorage(config: GatewayConfig): Note[] {
  const notes: Note[] = []
  if (config.storage.type === 'redis') notes.push(...checkRedis(config))
  if (config.workers < 1) notes.push(outOfRange(['workers'], `${config.workers} workers cannot serve`, 'use 1'))
  if (config.workers > 1 && config.storage.type === 'memory') {
    notes.push(makeNote('workers-count-apart', ['workers'], { workers: config.workers }))
  }
  if (config.workers > 1 && config.echo.enabled && config.echo.listenPort === 0) {
    const reason = 'is 0, but all workers must know the port of the one echo upstream'
    notes.push(excluded(['echo', 'listen_port'], reason, 'set a port, or workers to 1'))
  }
  if (config.policies.policySource === 'service') {
    notes.push(makeNote('policies-of-service', ['policies', 'policy_source']))
  }
  return notes
}

function checkRedis(config: GatewayConfig): Note[] {
  const { enableCluster, database, masterName, optimisationMaxActive } = config.storage
  const notes: Note[] = []
  if (optimisationMaxActive < 0) {
    notes.push(
      outOfRange(['storage', 'optimisation_max_active'], `${optimisationMaxActive} is below 0`, 'leave it out'),
    )
  }
  if (!enableCluster) return notes
  notes.push(...checkSlots(config))
  if (database !== 0) notes.push(excluded(['storage', 'database'], 'a cluster has only database 0', 'set it to 0'))
  if (masterName !== '') {
    notes.push(excluded(['storage', 'master_name'], 'sentinels do not go with enable_cluster', 'use one of the two'))
  }
  return notes
}

/** A script uses the keys of one hash slot. The names of the recorded layout can be in different ones. */
function checkSlots(config: GatewayConfig): Note[] {
  if (config.storage.layout === 'tagged') return []
  const limiters = [
    ['enable_sentinel_rate_limiter', config.enableSentinelRateLimiter, 'the log of a rate and its blocked flag'],
    ['enable_rate_limit_smoothing', config.enableRateLimitSmoothing, 'the log of a rate and its allowance'],
  ] as const
  return limiters.filter(([, isOn]) => isOn).map(([key, , what]) => makeNote('cluster-layout', [key], { what }))
}

function checkLimits(config: GatewayConfig): Note[] {
  const switches = [
    ['enable_fixed_window_rate_limiter', config.enableFixedWindowRateLimiter],
    ['enable_sentinel_rate_limiter', config.enableSentinelRateLimiter],
    ['enable_redis_rolling_limiter', config.enableRedisRollingLimiter],
  ] as const
  const on = switches.filter(([, value]) => value).map(([key]) => key)
  const [first = '', ...others] = on
  return others.map((key) => makeNote('second-rate-limiter', [key], { first }))
}

/** Reports the keys of the document that Turnpike knows but ignores. */
export function noteIgnoredKeys(document: Readonly<Record<string, unknown>>): Note[] {
  const names = Object.keys(document)
  const positionOf = ({ path }: { readonly path: JsonPath }) => names.indexOf(String(path[0]))
  const found = findUnsupported(unsupportedInConfig, document)
  return found
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .map(({ path, reason, instead }) => {
      const isUnused =
        tuningKeys.has(path.join('.')) ||
        isSwitchedOff(path, document) ||
        isNothing(memberOf(document, ...path.map(String)))
      return {
        ...makeNote(isUnused ? 'key-without-use' : 'key-without-effect', path, { reason, instead }),
        ineffective: true,
      }
    })
}
