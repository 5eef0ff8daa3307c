/** Checks of a configuration beyond types: values out of range, conflicting keys, and dangerous settings. */
import {
  findUnsupported,
  lintEventHandlers,
  lintHook,
  type Report,
  readErrorOverrides,
} from '@turnpike/core/definition'
import type { JsonPath } from '@turnpike/core/lib'
import { checkAccessLogs } from './check-access-logs.ts'
import { checkDashboard } from './check-dashboard.ts'
import { checkOpentelemetry } from './check-opentelemetry.ts'
import { checkPorts } from './check-ports-whitelist.ts'
import { checkSwitches } from './check-switches.ts'
import { type ConfigNote, error, warning } from './config-note.ts'
import type { GatewayConfig } from './config-shape.ts'
import { unsupportedInConfig } from './config-support.ts'
import { sampleSecret } from './keys/server-keys.ts'
import { isLoopback } from './loopback.ts'
import { hashFunctionOf, hashFunctions } from './to-settings.ts'

/** Returns all findings about a configuration whose types are valid. */
export function checkConfig(config: GatewayConfig): ConfigNote[] {
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
  ]
}

/** Reports invalid handlers as warnings, because the gateway starts without them. */
function checkEvents({ eventHandlers, monitor }: GatewayConfig): ConfigNote[] {
  const notes: ConfigNote[] = []
  const report: Report = (_, path, reason, suggestion) => {
    const note = { severity: 'warning', path, reason } as const
    notes.push(suggestion === undefined ? note : { ...note, fix: `did you mean ${suggestion}?` })
  }
  lintEventHandlers(eventHandlers.events, report)
  if (monitor.enableTriggerMonitors) lintHook(monitor.configuration, ['monitor', 'configuration'], report)
  return notes
}

function checkErrorOverrides({ errorOverrides }: GatewayConfig): ConfigNote[] {
  return readErrorOverrides(errorOverrides).problems.map(({ path, message: reason }) => ({
    severity: 'warning',
    path: ['error_overrides', ...path],
    reason,
  }))
}

function checkServer(config: GatewayConfig): ConfigNote[] {
  const notes: ConfigNote[] = []
  const ports = [
    [['listen_port'], config.listenPort],
    [['control_api_port'], config.controlApiPort],
    [['echo', 'listen_port'], config.echo.listenPort],
    [['metrics', 'listen_port'], config.metrics.listenPort],
  ] as const
  for (const [path, port] of ports) {
    if (port < 0 || port > 65_535) notes.push(error(path, `${port} is not a port`, 'ports are 0 to 65535'))
  }
  if (!/^[a-z][a-z0-9]*$/i.test(config.vendor)) {
    const reason = `"${config.vendor}" is not allowed in paths and headers`
    notes.push(error(['vendor'], reason, 'use letters and digits, a letter first'))
  }
  for (const [key, name] of [
    ['health_check_endpoint_name', config.healthCheckEndpointName],
    ['readiness_check_endpoint_name', config.readinessCheckEndpointName],
  ] as const) {
    if (!/^(\/?[\w.~-]+)*$/.test(name))
      notes.push(error([key], `"${name}" is not a path`, 'use a plain word such as hello'))
  }
  const times = [
    [['proxy_default_timeout'], config.proxyDefaultTimeout],
    [['stream_idle_timeout'], config.streamIdleTimeout],
    [['write_timeout'], config.writeTimeout],
    [['websocket_idle_timeout'], config.websocketIdleTimeout],
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
  for (const [path, value] of counts) if (value < 1) notes.push(error(path, `${value} is below 1`, 'use 1 or more'))
  for (const [path, value] of times) if (value < 0) notes.push(error(path, `${value} is below 0`, 'use 0 or more'))
  if (config.httpServerOptions.useSsl && config.frontEnd === 'uws') {
    const fix = 'use "auto" or "http1" with http_server_options.use_ssl'
    notes.push(error(['front_end'], 'is "uws", which has no TLS', fix))
  }
  return notes
}

function checkSecurity(config: GatewayConfig): ConfigNote[] {
  const notes: ConfigNote[] = []
  if (config.secret === '') {
    notes.push(warning(['secret'], 'is empty, so that every management call is rejected', 'set a long random text'))
  } else if (config.secret === sampleSecret && !isLoopback(config.listenAddress)) {
    const reason = 'is the well-known sample key, and the gateway listens beyond loopback'
    notes.push(warning(['secret'], reason, 'set a long random text'))
  }
  if (config.hashKeys && config.hashKeyFunction !== 'sha256') {
    const used = hashFunctionOf(config.hashKeyFunction) || 'murmur32'
    const reason = `keys are hashed by ${used}, which can be inverted: who sees a hash in a key list, a log or an analytics record computes a working key`
    notes.push(warning(['hash_keys'], reason, 'set hash_key_function to "sha256" and replace the keys'))
  }
  if (!hashFunctions.includes(config.hashKeyFunction)) {
    const reason = `"${config.hashKeyFunction}" is not a known hash; murmur64 is used`
    notes.push(warning(['hash_key_function'], reason, 'use "sha256"'))
  }
  if (config.storage.type === 'redis' && config.nodeSecret === '') {
    const reason = 'is empty, so any client of this Redis can make the nodes reload'
    notes.push(warning(['node_secret'], reason, 'set one random text on all nodes'))
  }
  if (config.allowMasterKeys) {
    notes.push({ severity: 'note', path: ['allow_master_keys'], reason: 'keys without access rights open every API' })
  }
  return notes
}

function checkStorage(config: GatewayConfig): ConfigNote[] {
  const notes: ConfigNote[] = []
  if (config.storage.type === 'redis') notes.push(...checkRedis(config))
  if (config.workers < 1) notes.push(error(['workers'], `${config.workers} workers cannot serve`, 'use 1'))
  if (config.workers > 1 && config.storage.type !== 'redis') {
    const reason = `${config.workers} workers would count apart, since the ${config.storage.type} store belongs to one process`
    notes.push(error(['workers'], reason, 'set workers to 1, or storage.type to "redis"'))
  }
  if (config.workers > 1 && config.echo.enabled && config.echo.listenPort === 0) {
    const reason = 'is 0, but all workers must know the port of the one echo upstream'
    notes.push(error(['echo', 'listen_port'], reason, 'set a port, or workers to 1'))
  }
  if (config.policies.policySource === 'service') {
    const fix = 'use policy_source "file" with policy_path or policy_record_name'
    notes.push(warning(['policies', 'policy_source'], 'policies of a dashboard service cannot be read', fix))
  }
  return notes
}

function checkRedis(config: GatewayConfig): ConfigNote[] {
  const { enableCluster, database, masterName, optimisationMaxActive } = config.storage
  const notes: ConfigNote[] = []
  if (optimisationMaxActive < 0) {
    notes.push(error(['storage', 'optimisation_max_active'], `${optimisationMaxActive} is below 0`, 'leave it out'))
  }
  if (!enableCluster) return notes
  notes.push(...checkSlots(config))
  if (database !== 0) notes.push(error(['storage', 'database'], 'a cluster has only database 0', 'set it to 0'))
  if (masterName !== '') {
    notes.push(error(['storage', 'master_name'], 'sentinels do not go with enable_cluster', 'use one of the two'))
  }
  return notes
}

/** A script uses the keys of one hash slot. The names of the recorded layout can be in different ones. */
function checkSlots(config: GatewayConfig): ConfigNote[] {
  if (config.storage.layout === 'tagged') return []
  const limiters = [
    ['enable_sentinel_rate_limiter', config.enableSentinelRateLimiter, 'the log of a rate and its blocked flag'],
    ['enable_rate_limit_smoothing', config.enableRateLimitSmoothing, 'the log of a rate and its allowance'],
  ] as const
  const fix = 'set storage.layout to "tagged" on all nodes, or switch the limiter off'
  return limiters
    .filter(([, isOn]) => isOn)
    .map(([key, , what]) =>
      error([key], `needs storage.layout "tagged" in a cluster: ${what} are in different hash slots`, fix),
    )
}

function checkLimits(config: GatewayConfig): ConfigNote[] {
  const switches = [
    ['enable_fixed_window_rate_limiter', config.enableFixedWindowRateLimiter],
    ['enable_sentinel_rate_limiter', config.enableSentinelRateLimiter],
    ['enable_redis_rolling_limiter', config.enableRedisRollingLimiter],
  ] as const
  const on = switches.filter(([, value]) => value).map(([key]) => key)
  return on
    .slice(1)
    .map((key) => warning([key], `has no effect, since ${on[0]} is on as well and wins`, 'switch on one rate limiter'))
}

/** Reports the keys of the document that Turnpike knows but ignores. */
export function noteIgnoredKeys(document: Readonly<Record<string, unknown>>): ConfigNote[] {
  const names = Object.keys(document)
  const positionOf = ({ path }: { readonly path: JsonPath }) => names.indexOf(String(path[0]))
  const found = findUnsupported(unsupportedInConfig, document)
  return found
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .map(({ path, reason, instead }) => ({
      severity: 'note',
      path,
      reason: `is known, but has no effect in Turnpike: ${reason}`,
      fix: instead,
      ineffective: true,
    }))
}
