/** Replaces the paths of a configuration by those of this machine. */
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { isJson } from '@turnpike/core/lib'
import type { PathMap } from './container-paths.ts'

/** Texts that are paths of files or folders. The original gateway resolves them against its working directory. */
const pathKeys: readonly (readonly string[])[] = [
  ['app_path'],
  ['template_path'],
  ['middleware_path'],
  ['pid_file_location'],
  ['public_key_path'],
  ['private_key_path'],
  ['policies', 'policy_path'],
  ['policies', 'policy_record_name'],
  ...['storage', 'cache_storage', 'analytics_storage'].flatMap((store) =>
    ['ca_file', 'cert_file', 'key_file'].map((name) => [store, name]),
  ),
]

/** Files without which the original gateway starts as well. */
const mayBeMissing = ['public_key_path', 'pid_file_location']

/** Replaces paths in place. Returns the keys that were left out, because their files do not exist. */
export function resolvePaths(config: Record<string, unknown>, paths: PathMap): { path: string; reason: string }[] {
  const rows: { path: string; reason: string }[] = []
  const absolute = (value: unknown) => (typeof value !== 'string' || value === '' ? value : paths.of(value))
  for (const path of pathKeys) {
    const parent = path.length === 1 ? config : config[path[0] as string]
    const name = path.at(-1) as string
    if (!isJson(parent) || parent[name] === undefined) continue
    const members = parent as Record<string, unknown>
    const value = absolute(members[name])
    members[name] = value
    const isMissing = typeof value === 'string' && isAbsolute(value) && !existsSync(value)
    if (!isMissing || !mayBeMissing.includes(name)) continue
    delete members[name]
    if (name === 'public_key_path') rows.push({ path: name, reason: `is left out, because ${value} does not exist` })
  }
  return [...rows, ...resolveCertificates(config['http_server_options'], absolute)]
}

/** Without a certificate the gateway cannot serve TLS, and would not start. */
function resolveCertificates(
  server: unknown,
  absolute: (value: unknown) => unknown,
): { path: string; reason: string }[] {
  if (!isJson(server) || !Array.isArray(server['certificates'])) return []
  const names = ['cert_file', 'key_file']
  const pairs = server['certificates'].filter(isJson)
  for (const pair of pairs) for (const name of names) Object.assign(pair, { [name]: absolute(pair[name]) })
  const isMissing = (file: unknown) => typeof file === 'string' && isAbsolute(file) && !existsSync(file)
  const missing = pairs.flatMap((pair) => names.map((name) => pair[name]).filter(isMissing))
  if (missing.length === 0 || server['use_ssl'] !== true) return []
  const kept = pairs.filter((pair) => !names.some((name) => isMissing(pair[name])))
  Object.assign(server, { certificates: kept })
  const path = 'http_server_options.certificates'
  const reason = `${missing.map(String).join(' and ')} do not exist, so the entry is left out`
  if (kept.length > 0) return [{ path, reason }]
  Object.assign(server, { use_ssl: false })
  return [{ path, reason: `${reason}, and use_ssl is false until you set both again` }]
}
