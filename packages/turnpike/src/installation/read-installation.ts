/**
 * `turnpike init --from`: the configuration for an existing installation of the original gateway, and the files that must
 * be converted. Definitions and policies that the gateway can read, and Redis data, stay where they are.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileFinding, parseFirstJson } from '@turnpike/core/definition'
import { isJson, type Json, objectOf, textOf, vendorForms } from '@turnpike/core/lib'
import { yamlToJson } from '@turnpike/core/lib/yaml'
import { overlayEnvironment } from '../config/environment.ts'
import type { Finding } from '../config/finding.ts'
import type { LeftOut } from '../formats/found.ts'
import { vendorOfValues } from '../formats/vendor-word.ts'
import { countKeys, removeIgnored } from './configuration-keys.ts'
import { type ConvertedFile, convertFound } from './convert-found.ts'
import { isFolder } from './find-files.ts'
import { type OpenedInstallation, openInstallation } from './open-installation.ts'
import { ownedDefinitions, ownedPolicies } from './owned-files.ts'
import { resolvePaths } from './resolve-paths.ts'
import { useReachableStorage } from './storage-of-service.ts'

interface Row {
  readonly path: string
  readonly reason: string
}

export interface Installation {
  /** The configuration file that was read, or the folder of exports. */
  readonly file: string
  /** The configuration for Turnpike, with absolute paths. */
  readonly config: Json
  /** Files of the new gateway that were made from those of the owner. */
  readonly files: readonly ConvertedFile[]
  /** The number of keys that were kept. */
  readonly keptKeys: number
  /** Keys that were left out because they have no effect. */
  readonly ignored: readonly Row[]
  /** Values that were added or changed. */
  readonly changed: readonly Row[]
  /** Paths of the container image, and the folder that replaces each. */
  readonly folders: readonly Row[]
  /** Variables of the Compose file: what was done with each. */
  readonly variables: readonly Row[]
  /** Parts of exports and files that are not taken over. */
  readonly leftOut: readonly LeftOut[]
  readonly notes: readonly Finding[]
  /** Folder of keys, which `turnpike keys import` reads. */
  readonly keys: string | undefined
}

export type ReadInstallation = Installation | { readonly problem: string }

export interface ReadOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Values of `$schema` in converted files. */
  readonly schemas: { readonly classic: string; readonly document: string }
}

/** Reads an installation. `from` is its folder, its configuration, its Compose file, or a file of exports. Writes nothing. */
export async function readInstallation(from: string, options: ReadOptions): Promise<ReadInstallation> {
  const opened = openInstallation(from)
  if ('problem' in opened) return opened
  const read = opened.file === undefined ? { value: {}, notes: [] } : readConfiguration(opened.file)
  if ('problem' in read) return read
  return new InstallationReader(opened, structuredClone(read.value), options).read(read.notes)
}

function readConfiguration(file: string): { readonly value: Json; readonly notes: Finding[] } | { problem: string } {
  const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  const yaml = /\.ya?ml$/.test(file) ? yamlToJson(text) : undefined
  if (yaml?.problem !== undefined) {
    return { problem: `${file}:${yaml.problem.line}:${yaml.problem.column} ${yaml.problem.message}` }
  }
  const documents = yaml?.documents ?? [text]
  if (documents.length > 1) return { problem: `${file} has ${documents.length} YAML documents; a configuration is one` }
  const parsed = parseFirstJson(documents[0] ?? '{}')
  if (parsed.problem !== undefined) {
    const { line, column, message } = parsed.problem
    return { problem: `${file}:${line}:${column} ${message}` }
  }
  if (!isJson(parsed.value)) return { problem: `${file} must be one JSON object` }
  const { rest } = parsed
  return {
    value: parsed.value,
    notes: rest === undefined ? [] : [{ ...fileFinding('text-behind-json', file), ...rest }],
  }
}

class InstallationReader {
  readonly #opened: OpenedInstallation
  readonly #config: Record<string, unknown>
  readonly #options: ReadOptions
  readonly #changed: Row[] = []
  readonly #leftOut: LeftOut[] = []
  readonly #files: ConvertedFile[] = []

  constructor(opened: OpenedInstallation, config: Record<string, unknown>, options: ReadOptions) {
    this.#opened = opened
    this.#config = config
    this.#options = options
  }

  async read(notes: readonly Finding[]): Promise<Installation> {
    const { folder, file, paths, found } = this.#opened
    const isFound = found !== undefined
    const variables = this.#variables()
    const ignored = removeIgnored(this.#config)
    const keptKeys = countKeys(this.#config)
    // Without the maker's name, paths, headers, extensions and Redis names would be different.
    const word = isFound ? (vendorOfValues(found.apis.map(({ value }) => value)) ?? 'tyk') : 'tyk'
    if (this.#config['vendor'] === undefined)
      this.#set('vendor', word, `is "${word}", so that clients, definitions and Redis data keep working`)
    const vendor = textOf(this.#config['vendor'])
    for (const row of resolvePaths(this.#config, paths)) this.#changed.push(row)
    if (!isFound) await this.#definitions(vendor)
    else await this.#exports(vendor)
    this.#secret()
    useReachableStorage(this.#config, this.#opened.service, (path, value, reason) => this.#set(path, value, reason))
    if (objectOf(this.#config['storage'])['type'] !== 'redis') {
      this.#set('data_path', '.turnpike', 'holds keys and counters, because the storage is not Redis')
    }
    const keys = [folder, ...(file === undefined ? [] : [dirname(file)])].map((parent) => join(parent, 'keys'))
    return {
      ...{ file: file ?? folder, config: this.#config, files: this.#files, keptKeys, ignored, variables },
      ...{ changed: this.#changed, leftOut: this.#leftOut, notes: [...notes, ...this.#opened.notes] },
      folders: [...paths.replaced].map(([path, host]) => ({ path, reason: host })),
      keys: keys.find(isFolder),
    }
  }

  #set(path: string, value: unknown, reason: string): void {
    this.#config[path] = value
    this.#changed.push({ path, reason })
  }

  /** Takes the variables of the Compose file, which override the configuration in the original gateway too. */
  #variables(): Row[] {
    const { service } = this.#opened
    const taken = Object.entries(service?.variables ?? {}).filter(([name]) => /^TYK_/.test(name))
    return taken.map(([name, text]) => {
      if (name === 'TYK_LOGLEVEL') {
        this.#config['log_level'] = text
        return { path: name, reason: 'is log_level' }
      }
      if (name.startsWith('TYK_SECRET_')) return { path: name, reason: 'is not taken over; set it before the start' }
      if (!name.startsWith('TYK_GW_')) return { path: name, reason: 'is not a variable of the gateway' }
      const [finding] = overlayEnvironment(this.#config, { [name]: text }, 'TYK_GW_')
      return { path: name, reason: finding === undefined ? 'is taken over' : finding.reason }
    })
  }

  /** Definitions and policies of a configuration. */
  async #definitions(vendor: string): Promise<void> {
    const { file, folder, paths } = this.#opened
    const base = file === undefined ? folder : dirname(file)
    if (textOf(this.#config['app_path']) === '') {
      const path = paths.of('apps')
      this.#set(
        'app_path',
        path,
        file === undefined ? 'is the folder of definitions' : 'is the default of the installation',
      )
    }
    const named = textOf(this.#config['app_path'])
    const appPath = paths.of(named)
    const definitions = ownedDefinitions(appPath, vendor)
    if (!isFolder(appPath)) {
      this.#set('app_path', 'apps', `is a new folder, because ${named} does not exist: there are no definitions`)
      this.#files.push({ name: 'apps/.keep', text: '', source: named })
    } else if (definitions.convert !== undefined) {
      await this.#convert(definitions.convert, vendor)
      this.#files.push(...definitions.copies)
      this.#set('app_path', 'apps', `has converted copies of the files in ${appPath}`)
    }
    await this.#policies(base, vendor)
  }

  async #policies(base: string, vendor: string): Promise<void> {
    const { paths } = this.#opened
    const given = { ...objectOf(this.#config['policies']) }
    const named = textOf(given['policy_path']) || textOf(given['policy_record_name'])
    // A configuration that names no policies has none; a dashboard, or no configuration at all, may have left files.
    const isOpen = this.#opened.file === undefined || given['policy_source'] === 'service' || named !== ''
    const usual = isOpen ? ['policies', 'policies/policies.json', 'policies.json'] : []
    const candidates = [named, ...usual].filter((path) => path !== '')
    const place = candidates.find((path) => existsSync(paths.of(resolve(base, path))))
    const path = place === undefined ? undefined : paths.of(resolve(base, place))
    if (path === undefined) {
      if (named === '') return
      const { policy_path: _, policy_record_name: __, ...rest } = given
      this.#set('policies', rest, `names ${named}, which does not exist: there are no policies`)
      return
    }
    const policies = ownedPolicies(path)
    if (policies.convert !== undefined) {
      await this.#convert(policies.convert, vendor)
      this.#set('policies', { policy_source: 'file', policy_path: 'policies' }, `are converted copies of ${path}`)
      return
    }
    const key = isFolder(path) ? 'policy_path' : 'policy_record_name'
    if (paths.of(named) === path && textOf(given[key]) === named && given['policy_source'] !== 'service') return
    this.#set('policies', { policy_source: 'file', [key]: path }, `are read from ${path}`)
  }

  /** Exports, sync repositories and resources, which have no configuration. */
  async #exports(vendor: string): Promise<void> {
    await this.#convert(this.#opened.found ?? { apis: [], policies: [], keys: [], leftOut: [] }, vendor)
    this.#set('app_path', 'apps', 'has the converted definitions')
    this.#set('policies', { policy_source: 'file', policy_path: 'policies' }, 'are the converted policies')
    for (const folder of ['apps', 'policies']) {
      if (this.#files.some(({ name }) => name.startsWith(`${folder}/`))) continue
      this.#files.push({ name: `${folder}/.keep`, text: '', source: this.#opened.folder })
    }
  }

  async #convert(found: Parameters<typeof convertFound>[0], vendor: string): Promise<void> {
    const converted = await convertFound(found, vendor, this.#options.schemas)
    this.#files.push(...converted.files)
    this.#leftOut.push(...converted.leftOut)
  }

  #secret(): void {
    const prefix = `${vendorForms(String(this.#config['vendor'])).upper}_GW_`
    const { environment } = this.#options
    if (this.#config['secret'] !== undefined || environment[`${prefix}SECRET`] !== undefined) return
    this.#set(
      'secret',
      randomBytes(32).toString('base64url'),
      'is a new random management key, because the file names none',
    )
  }
}

/** The name of the installation for messages, such as `tyk.conf`. */
export function shortName({ file }: Pick<Installation, 'file'>): string {
  return basename(file)
}
