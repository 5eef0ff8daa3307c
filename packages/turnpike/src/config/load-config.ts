/**
 * Loads a gateway configuration: file, then environment, then flags; later sources override earlier ones. Returns all
 * problems, those of a file with line and column, and unknown keys with the nearest known name among them. Of a file
 * that cannot be read it returns only that, and invalid variables. Does not throw and writes nothing.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { isCertificateId } from '@turnpike/core/auth'
import { fileFinding, makeNote, type Note, parseFirstJson, placeNote } from '@turnpike/core/definition'
import { isJson, nearestName, vendorForms } from '@turnpike/core/lib'
import { yamlToJson } from '@turnpike/core/lib/yaml'
import { withoutAllowed } from './allowed-findings.ts'
import { checkConfig, noteIgnoredKeys } from './check-config.ts'
import { configShape, type GatewayConfig } from './config-shape.ts'
import { type Environment, overlayEnvironment } from './environment.ts'
import { configFileIn, usualConfigFile } from './find-config-file.ts'
import { type Finding, hasErrors } from './finding.ts'
import { isRemovedKey } from './keys/removed-keys.ts'
import { noteRemovedKeys, noteSecretStores } from './note-old-parts.ts'
import { applyProfile } from './profile.ts'
import { recogniseVendor } from './recognise-vendor.ts'
import { resolveSecrets } from './resolve-secrets.ts'

/** Options of the command line or of a program. They override all other sources. */
export interface ConfigFlags {
  readonly port?: number | undefined
  readonly workers?: number | 'max' | undefined
  readonly debug?: boolean | undefined
  /** Serves profiles, like `enable_http_profiler`. */
  readonly profile?: boolean | undefined
  readonly vendor?: string | undefined
  /** Overrides `data_path`; relative to the folder of the call, not to that of the file. */
  readonly dataPath?: string | undefined
}

export interface ConfigSources {
  /** The file of `--conf`. Default: the usual locations. A named file that does not exist is an error. */
  readonly file?: string | undefined
  readonly environment: Environment
  readonly flags?: ConfigFlags | undefined
  /** Absolute folder that relative file names start from. */
  readonly cwd: string
  /** Returns the path on this machine for a path of the configuration. Default: relative paths start at its folder. */
  readonly pathOf?: ((path: string) => string) | undefined
  /** A configuration object instead of a file, for gateways created in code. */
  readonly document?: Readonly<Record<string, unknown>> | undefined
}

export interface LoadedConfig {
  /** Valid only if `usable` is true. Paths are absolute. */
  readonly config: GatewayConfig
  /** Absolute path of the file that was named or found. */
  readonly file: string | undefined
  /** Where the settings come from. `missing`: the named file does not exist. `none`: no file was named or found. */
  readonly origin: 'file' | 'document' | 'environment' | 'missing' | 'none'
  /** TCP port of the management API by file and environment, without the flags; 0 lets the system choose. */
  readonly configuredPort: number
  readonly findings: readonly Finding[]
  /** How many findings `check.allow` has left out. */
  readonly silenced: number
  /** True if no finding is an error. */
  readonly usable: boolean
}

export function loadConfig(sources: ConfigSources): LoadedConfig {
  const { environment, cwd } = sources
  const findings: Finding[] = []
  const read = readDocument(sources, findings)
  const { document, text, file } = read
  const unread = hasErrors(findings)
  const source = file ?? (sources.document === undefined ? 'defaults' : 'config')

  // Read before the other variables, because their names begin with the vendor word.
  const vendor = sources.flags?.vendor ?? environment.SVC_GW_VENDOR
  if (vendor !== undefined && vendor !== '') document.vendor = vendor
  const recognised = recogniseVendor(document, { file, environment })
  findings.push(...recognised.findings)
  if (recognised.vendor !== undefined) document.vendor = recognised.vendor
  const prefix = prefixOf(document)
  findings.push(...overlayEnvironment(document, environment, prefix))
  applyProfile(document)
  const configured = document.listen_port
  if (sources.flags?.port !== undefined) document.listen_port = sources.flags.port
  if (sources.flags?.workers !== undefined) document.workers = sources.flags.workers
  if (document.workers === 'max') document.workers = availableParallelism()
  if (sources.flags?.dataPath !== undefined) document.data_path = resolve(cwd, sources.flags.dataPath)
  if (sources.flags?.debug === true) document.log_level = 'debug'
  if (sources.flags?.profile === true) document.enable_http_profiler = true
  // With OMITCONFIGFILE the sample key is not a default: docs/reference/startup.md#environment-variables.
  if (environment[`${prefix}OMITCONFIGFILE`] === 'true' && !('secret' in document)) document.secret = ''

  const problems: Problems = []
  const config = configShape.read(document, [], problems)
  const removed = problems.filter(({ kind, path }) => kind === 'unknown' && isRemovedKey(path))
  const notes: Note[] = problems.filter((problem) => !removed.includes(problem)).map(noteOfProblem)
  notes.push(...noteRemovedKeys(removed.map(({ path }) => path)), ...noteSecretStores(document))
  notes.push(...resolveSecrets(config, environment))
  const pathsWithProblems = new Set(problems.filter(({ kind }) => kind !== 'unknown').map(({ path }) => path.join('.')))
  for (const { severity, path } of notes) if (severity === 'error') pathsWithProblems.add(path.join('.'))
  // A key with an invalid type has its default now, so further findings about it would mislead.
  notes.push(
    ...checkConfig(config).filter(({ path }) => !pathsWithProblems.has(path.join('.'))),
    ...noteIgnoredKeys(document),
  )
  if (!unread) findings.push(...notes.map((note) => placeNote(note, source, text)))
  resolvePaths(config, file === undefined ? cwd : dirname(file), sources.pathOf)
  const ownPort = typeof configured === 'number' ? configured : configShape.zero().listenPort
  const configuredPort = config.controlApiPort > 0 ? config.controlApiPort : ownPort
  const kept = withoutAllowed(findings, config.check.allow ?? [])
  return { config, file, origin: read.origin, configuredPort, ...kept, usable: !hasErrors(findings) }
}

type Problems = Parameters<typeof configShape.read>[2]

interface ReadDocument {
  readonly document: Record<string, unknown>
  readonly text: string | undefined
  readonly file: string | undefined
  readonly origin: LoadedConfig['origin']
}

function readDocument(sources: ConfigSources, findings: Finding[]): ReadDocument {
  const nothing: ReadDocument = { document: {}, text: undefined, file: undefined, origin: 'none' }
  if (sources.document !== undefined) {
    return { ...nothing, document: structuredClone(sources.document), origin: 'document' }
  }
  const variables = Object.entries(sources.environment)
  const omitsFile = variables.some(([name, value]) => name.endsWith('_GW_OMITCONFIGFILE') && value === 'true')
  if (omitsFile) return { ...nothing, origin: 'environment' }
  const file = sources.file === undefined ? usualConfigFile(sources.cwd) : resolve(sources.cwd, sources.file)
  if (file === undefined) return nothing
  const reject = (problem: string, fix = '', at?: { line: number; column: number }): ReadDocument => {
    findings.push({ ...fileFinding('config-unreadable', file, { problem, fix }), ...at })
    return { ...nothing, file, origin: 'file' }
  }

  if (!existsSync(file)) return { ...reject('does not exist', suggestFile(file, sources.cwd)), origin: 'missing' }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    return reject(`cannot be read: ${messageOf(cause)}`, 'name another with --conf')
  }
  if (/\.ya?ml$/.test(file)) {
    const { documents, problem } = yamlToJson(text)
    if (problem !== undefined) return reject(problem.message, undefined, { line: problem.line, column: problem.column })
    if (documents.length > 1) return reject(`has ${documents.length} YAML documents; a configuration is one`)
    text = documents[0] ?? '{}'
  }
  const parsed = parseFirstJson(text)
  if (parsed.problem !== undefined) {
    const { message, line, column } = parsed.problem
    return reject(message, undefined, { line, column })
  }
  if (!isJson(parsed.value)) return reject('must be one JSON object', undefined, { line: 1, column: 1 })
  if (parsed.rest !== undefined) {
    findings.push({ ...fileFinding('text-behind-json', file), ...parsed.rest })
  }
  return { document: parsed.value, text, file, origin: 'file' }
}

/** Suggests a file with a similar name beside the missing one, or how to create a configuration. */
function suggestFile(file: string, cwd: string): string {
  const folder = dirname(file)
  const near = nearestName(basename(file), jsonFilesIn(folder)) ?? configFileIn(folder)
  if (near === undefined) return 'name another with --conf, or create one with: turnpike init'
  return `did you mean ${relative(cwd, join(folder, basename(near)))}?`
}

function jsonFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /\.(json|conf|ya?ml)$/.test(name))
  } catch {
    return []
  }
}

function prefixOf({ vendor }: Readonly<Record<string, unknown>>): string {
  return `${vendorForms(typeof vendor === 'string' && vendor !== '' ? vendor : 'svc').upper}_GW_`
}

function noteOfProblem({ kind, path, message, suggestion, isEmpty }: Problems[number]): Note {
  if (kind === 'type') return makeNote('config-wrong-type', path, { problem: message })
  // One entry of a list, such as an event handler, is wrong. The gateway starts without it.
  if (kind === 'inner-type') return makeNote('config-entry-ignored', path, { problem: message })
  // An empty value says nothing, unless its key is probably misspelt.
  if (isEmpty && suggestion === undefined) return { ...makeNote('unused-key', path), ineffective: true }
  return { ...makeNote('unknown-key', path, {}, suggestion), ineffective: true }
}

/** Resolves relative paths against the file's folder, so the current folder of the process does not matter. */
function resolvePaths(config: GatewayConfig, folder: string, pathOf?: (path: string) => string): void {
  const absolute = (path: string) => {
    if (path === '') return path
    return pathOf?.(path) ?? (isAbsolute(path) ? path : join(folder, path))
  }
  config.appPath = absolute(config.appPath === '' ? 'apps' : config.appPath)
  config.templatePath = absolute(config.templatePath)
  config.middlewarePath = absolute(config.middlewarePath)
  config.dataPath = absolute(config.dataPath === '' ? '.turnpike' : config.dataPath)
  config.seed = absolute(config.seed)
  config.records.file.path = absolute(config.records.file.path)
  config.pidFileLocation = absolute(config.pidFileLocation)
  config.policies.policyPath = absolute(config.policies.policyPath)
  config.policies.policyRecordName = absolute(config.policies.policyRecordName)
  config.publicKeyPath = absolute(config.publicKeyPath)
  config.privateKeyPath = absolute(config.privateKeyPath)
  for (const store of [config.storage, config.cacheStorage, config.analyticsStorage]) {
    store.caFile = absolute(store.caFile)
    store.certFile = absolute(store.certFile)
    store.keyFile = absolute(store.keyFile)
  }
  const server = config.httpServerOptions
  server.sslCertificates =
    server.sslCertificates?.map((name) => (isCertificateId(name) ? name : absolute(name))) ?? null
  for (const pair of server.certificates ?? []) {
    pair.certFile = absolute(pair.certFile)
    pair.keyFile = absolute(pair.keyFile)
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
