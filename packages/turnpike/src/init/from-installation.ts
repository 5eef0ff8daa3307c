/**
 * `turnpike init --from`: the configuration for an existing installation of the original gateway. Definitions, policies
 * and Redis data stay where they are.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import { findUnsupported, parseJson } from '@turnpike/core/definition'
import { isJson, type Json, objectOf, printJsonPath, readShape, vendorForms } from '@turnpike/core/lib'
import { configShape } from '../config/config-shape.ts'
import { unsupportedInConfig } from '../config/config-support.ts'
import { configFileIn } from '../config/find-config-file.ts'

export interface Installation {
  /** The configuration file that was read. */
  readonly file: string
  /** The configuration for Turnpike, with absolute paths. */
  readonly config: Json
  /** The number of keys that were kept. */
  readonly keptKeys: number
  /** Keys that were left out because they have no effect. */
  readonly ignored: readonly { readonly path: string; readonly reason: string }[]
  /** Values that were added or changed. */
  readonly changed: readonly { readonly path: string; readonly reason: string }[]
}

export type ReadInstallation = Installation | { readonly problem: string }

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

/** Reads the configuration of an installation. `from` is its folder or its configuration file. Writes nothing. */
export function readInstallation(
  from: string,
  environment: Readonly<Record<string, string | undefined>>,
): ReadInstallation {
  const found = findFile(from)
  if ('problem' in found) return found
  const { file } = found
  const parsed = parseJson(readFileSync(file, 'utf8'))
  if (parsed.problem !== undefined) {
    const { line, column, message } = parsed.problem
    return { problem: `${file}:${line}:${column} ${message}` }
  }
  if (!isJson(parsed.value)) return { problem: `${file} must be one JSON object` }
  const given: Record<string, unknown> = structuredClone(parsed.value)
  const ignored = removeIgnored(given)
  const keptKeys = countKeys(given)
  resolvePaths(given, dirname(file))
  const changed: { path: string; reason: string }[] = []
  const set = (path: string, value: unknown, reason: string) => {
    given[path] = value
    changed.push({ path, reason })
  }
  // Without the maker's name, paths, headers, extensions and Redis names would be different.
  if (given['vendor'] === undefined)
    set('vendor', 'tyk', 'is "tyk", so that clients, definitions and Redis data keep working')
  if (given['app_path'] === undefined)
    set('app_path', resolve(dirname(file), 'apps'), 'is the default of the installation')
  const prefix = `${vendorForms(String(given['vendor'])).upper}_GW_`
  if (given['secret'] === undefined && environment[`${prefix}SECRET`] === undefined) {
    set('secret', randomBytes(32).toString('base64url'), 'is a new random management key, because the file names none')
  }
  if (objectOf(given['storage'])['type'] !== 'redis') {
    set('data_path', '.turnpike', 'holds keys and counters, because the storage is not Redis')
  }
  return { file, config: given, keptKeys, ignored, changed }
}

function findFile(from: string): { readonly file: string } | { readonly problem: string } {
  const stats = statSync(from, { throwIfNoEntry: false })
  if (stats === undefined) return { problem: `${from} does not exist` }
  if (!stats.isDirectory()) return { file: from }
  const original = resolve(from, 'tyk.conf')
  const file = statSync(original, { throwIfNoEntry: false }) === undefined ? configFileIn(from) : original
  return file === undefined
    ? { problem: `${from} contains no tyk.conf; name the configuration file itself with --from` }
    : { file }
}

/** Removes keys that are unknown or have no effect, in place. */
function removeIgnored(given: Record<string, unknown>): { path: string; reason: string }[] {
  const unknown = readShape(configShape, given)
    .problems.filter(({ kind }) => kind === 'unknown')
    .map(({ path }) => ({ path, reason: 'is not a known key' }))
  const unsupported = findUnsupported(unsupportedInConfig, given).map(({ path, reason }) => ({ path, reason }))
  const all = [...unknown, ...unsupported]
  for (const { path } of all) remove(given, path.map(String))
  return all.map(({ path, reason }) => ({ path: printJsonPath(path), reason }))
}

/** Removes a member and the objects that it leaves empty. */
function remove(parent: Record<string, unknown>, [name = '', ...rest]: readonly string[]): void {
  const member = parent[name]
  if (rest.length > 0 && typeof member === 'object' && member !== null) {
    remove(member as Record<string, unknown>, rest)
    if (Object.keys(member).length > 0) return
  }
  if (rest.length === 0 || (isJson(member) && Object.keys(member).length === 0)) delete parent[name]
}

function countKeys(value: Json): number {
  return Object.values(value).reduce<number>((sum, member) => sum + (isJson(member) ? countKeys(member) : 1), 0)
}

function resolvePaths(config: Record<string, unknown>, folder: string): void {
  const absolute = (value: unknown) =>
    typeof value !== 'string' || value === '' || isAbsolute(value) ? value : resolve(folder, value)
  for (const path of pathKeys) {
    const parent = path.length === 1 ? config : config[path[0] as string]
    const name = path.at(-1) as string
    if (!isJson(parent) || parent[name] === undefined) continue
    const members = parent as Record<string, unknown>
    members[name] = absolute(members[name])
  }
  const server = objectOf(config['http_server_options'])
  for (const pair of Array.isArray(server['certificates']) ? server['certificates'] : []) {
    for (const name of ['cert_file', 'key_file'])
      if (isJson(pair)) Object.assign(pair, { [name]: absolute(pair[name]) })
  }
}

/** The name of the installation for messages, such as `tyk.conf`. */
export function shortName({ file }: Pick<Installation, 'file'>): string {
  return basename(file)
}
