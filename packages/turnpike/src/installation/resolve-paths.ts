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
  const server = isJson(config['http_server_options']) ? config['http_server_options'] : {}
  for (const pair of Array.isArray(server['certificates']) ? server['certificates'] : []) {
    for (const name of ['cert_file', 'key_file'])
      if (isJson(pair)) Object.assign(pair, { [name]: absolute(pair[name]) })
  }
  return rows
}
