/**
 * What a changed configuration means for a running gateway: the keys that it applies, and the keys that need a restart.
 * Source: docs/reference/hot-reload.md#configuration-file.
 */
import { findUnsupported } from '@turnpike/core/definition'
import { isJson, type Json } from '@turnpike/core/lib'
import { configShape, type GatewayConfig } from './config-shape.ts'
import { unsupportedInConfig } from './config-support.ts'

/**
 * Keys whose values are read when an API is compiled, when a request is handled, or from the running configuration.
 * Every other key is read once, when the gateway starts.
 */
const liveKeys: ReadonlySet<string> = new Set([
  'log_level',
  'proxy_default_timeout',
  'proxy_close_connections',
  'proxy_enable_http2',
  'proxy_ssl_min_version',
  'proxy_ssl_max_version',
  'proxy_ssl_ciphers',
  'ssl_force_common_name_check',
  'security.certificates.upstream',
  'security.pinned_public_keys',
  'rate_limit_response_headers',
  'rate_limit_headers',
  'version_header',
  'override_messages',
  'max_read_body_size',
  'max_read_response_size',
  'http_server_options.max_response_body_size',
  'storage_outage',
  'mcp_count_each_stage',
  'mcp_other_bodies',
  'undeclared_response_processors',
  'honour_active',
  'enable_hashed_keys_listing',
  'allow_unsafe_policy_ids',
])

/** All keys that a running gateway applies, for the documentation. */
export const appliedWithoutRestart: readonly string[] = [...liveKeys]

export interface ConfigChange {
  /** Keys that the running gateway can apply, as `http_server_options.max_response_body_size`. */
  readonly live: readonly string[]
  readonly needRestart: readonly string[]
}

/** Returns the configuration with the names of the file. Every key is present. */
export function toDocument(config: GatewayConfig): Json {
  return configShape.write(config) as Json
}

/** Compares two configurations with the names of the file. Keys without effect in Turnpike are left out. */
export function compareConfigs(before: Json, after: Json): ConfigChange {
  const withoutEffect = new Set(
    [before, after].flatMap((document) =>
      findUnsupported(unsupportedInConfig, document).map(({ path }) => path.join('.')),
    ),
  )
  const changed = changedKeys(before, after, '').filter((key) => !hasPrefixIn(key, withoutEffect))
  return {
    live: changed.filter((key) => liveKeys.has(key)),
    needRestart: changed.filter((key) => !liveKeys.has(key)),
  }
}

/** Returns `config` with the values that `document` has for the keys. */
export function withValues(config: GatewayConfig, document: Json, keys: readonly string[]): GatewayConfig {
  return configShape.read(copyKeys(toDocument(config), document, keys), [], [])
}

/** Returns `into` with the values of `from` for the keys. */
export function copyKeys(into: Json, from: Json, keys: readonly string[]): Json {
  const merged = structuredClone(into)
  for (const key of keys) {
    const path = key.split('.')
    const last = path.pop() as string
    const inner = (at: Json) => path.reduce((found, name) => found[name] as Json, at) as Record<string, unknown>
    inner(merged)[last] = inner(from)[last]
  }
  return merged
}

function changedKeys(before: Json, after: Json, prefix: string): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    const key = prefix === '' ? name : `${prefix}.${name}`
    const [old, now] = [before[name], after[name]]
    if (!liveKeys.has(key) && isJson(old) && isJson(now)) return changedKeys(old, now, key)
    return JSON.stringify(old) === JSON.stringify(now) ? [] : [key]
  })
}

function hasPrefixIn(key: string, keys: ReadonlySet<string>): boolean {
  return [...keys].some((one) => key === one || key.startsWith(`${one}.`))
}
