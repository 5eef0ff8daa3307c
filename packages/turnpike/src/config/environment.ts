/**
 * Environment variables that override keys of the configuration file. A name is the prefix and the path of the key in
 * capitals, without its underscores and with `_` between its levels; existing installations rely on some exceptions.
 * Source: docs/reference/startup.md#environment-variables.
 */
import { makeNote, placeNote } from '@turnpike/core/definition'
import { isJson, type JsonSchema, nearestName } from '@turnpike/core/lib'
import { configShape } from './config-shape.ts'
import { parseEnvironmentValue } from './environment-value.ts'
import type { Finding } from './finding.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Names that do not follow the rule, by path of the key, without the prefix. */
const irregularNames: Readonly<Record<string, string>> = {
  'storage.optimisation_max_idle': 'STORAGE_MAXIDLE',
  'storage.optimisation_max_active': 'STORAGE_MAXACTIVE',
  'analytics_storage.optimisation_max_idle': 'ANALYTICSSTORAGE_MAXIDLE',
  'analytics_storage.optimisation_max_active': 'ANALYTICSSTORAGE_MAXACTIVE',
  'cache_storage.optimisation_max_idle': 'CACHESTORAGE_MAXIDLE',
  'cache_storage.optimisation_max_active': 'CACHESTORAGE_MAXACTIVE',
  oauth_refresh_token_expire: 'OAUTHREFRESHEXPIRE',
  'local_session_cache.disable_cached_session_state': 'LOCALSESSIONCACHE_DISABLECACHESESSIONSTATE',
  enable_separate_analytics_store: 'ENABLESEPERATEANALYTICSSTORE',
  enable_separate_cache_store: 'ENABLESEPERATECACHESTORE',
  ports_whitelist: 'PORTWHITELIST',
  disable_ports_whitelist: 'DISABLEPORTWHITELIST',
  max_idle_connections: 'MAXIDLECONNS',
  max_idle_connections_per_host: 'MAXIDLECONNSPERHOST',
  enable_http_profiler: 'HTTPPROFILE',
  suppress_default_org_store: 'SUPRESSDEFAULTORGSTORE',
  'analytics_config.geo_ip_db_path': 'ANALYTICSCONFIG_GEOIPDBLOCATION',
  'health_check.health_check_value_timeouts': 'HEALTHCHECK_HEALTHCHECKVALUETIMEOUT',
  'security.certificates.apis': 'SECURITY_CERTIFICATES_API',
  'security.certificates.dashboard_api': 'SECURITY_CERTIFICATES_DASHBOARD',
  'security.certificates.control_api': 'SECURITY_CERTIFICATES_CONTROLAPI',
  'monitor.configuration': 'MONITOR_CONFIG',
  header_map: 'HEADERLIST',
  'http_server_options.ssl_ciphers': 'HTTPSERVEROPTIONS_CIPHERS',
}

interface Variable {
  readonly path: readonly string[]
  readonly schema: JsonSchema
}

let known: ReadonlyMap<string, Variable> | undefined

/** Returns all variables by name without prefix. Built at the first call, so a start without variables is faster. */
export function knownVariables(): ReadonlyMap<string, Variable> {
  if (known !== undefined) return known
  const found = new Map<string, Variable>()
  collect(configShape.schema, [], found)
  known = found
  return found
}

function collect(schema: JsonSchema, path: readonly string[], found: Map<string, Variable>): void {
  if (path.length > 0) found.set(nameOf(path), { path, schema })
  for (const [name, inner] of Object.entries(schema.properties ?? {})) collect(inner, [...path, name], found)
}

function nameOf(path: readonly string[]): string {
  const irregular = irregularNames[path.join('.')]
  return irregular ?? path.map((name) => name.replaceAll('_', '').toUpperCase()).join('_')
}

/** Overrides keys of `document`, in place, with environment variables. Returns findings about invalid variables. */
export function overlayEnvironment(
  document: Record<string, unknown>,
  environment: Environment,
  prefix: string,
): Finding[] {
  const findings: Finding[] = []
  for (const [name, text] of Object.entries(environment).sort()) {
    if (text === undefined || !name.startsWith(prefix)) continue
    const own = name.slice(prefix.length)
    if (own === 'OMITCONFIGFILE') continue
    const variable = knownVariables().get(own)
    if (variable === undefined) {
      findings.push(unknownVariable(name, own, prefix))
      continue
    }
    const parsed = parseEnvironmentValue(text, variable.schema)
    if ('problem' in parsed) {
      const note = makeNote('invalid-variable', [name], { problem: parsed.problem })
      findings.push(placeNote(note, 'environment', undefined))
    } else put(document, variable.path, parsed.value)
  }
  return findings
}

function unknownVariable(name: string, own: string, prefix: string): Finding {
  const near = nearestName(own, knownVariables().keys())
  const fix = near === undefined ? '' : `did you mean ${prefix}${near}?`
  return placeNote(makeNote('unknown-variable', [name], { fix }), 'environment', undefined)
}

function put(document: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = document
  for (const name of path.slice(0, -1)) {
    const inner = at[name]
    if (!isJson(inner)) at[name] = {}
    at = at[name] as Record<string, unknown>
  }
  at[path.at(-1) as string] = value
}
