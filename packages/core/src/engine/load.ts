/**
 * Builds the next routing snapshot while the current one serves: parse, resolve listen path conflicts, compile. An API
 * whose definition did not change keeps its compiled form. The reloader swaps the snapshots. Source:
 * docs/reference/hot-reload.md#reload-contents.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import type { DefinitionProblem } from '../definition/definition-problem.ts'
import type { SourceDocument, SourceSnapshot } from '../definition/definition-source.ts'
import type { Report } from '../definition/lint/finding.ts'
import { securityLint } from '../definition/lint/security-lint.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import { withScripts } from '../definition/scripts/load-scripts.ts'
import type { ScriptFiles } from '../definition/scripts/script-files.ts'
import { scriptsThatCannotRun } from '../definition/scripts/scripts-that-cannot-run.ts'
import { unsupportedInDefinition } from '../definition/support/definition-support.ts'
import { type ReadTemplate, withTemplateFiles } from '../definition/template-files.ts'
import { isStream } from '../http/listening.ts'
import type { SecretLookup } from '../lib/secret-lookup.ts'
import { printJsonPath } from '../lib/shape/json-path.ts'
import { locateJson } from '../lib/shape/locate-json.ts'
import { type CompiledApi, compileApi } from '../pipeline/compile/compiled-api.ts'
import { compileStream } from '../pipeline/compile/stream-api.ts'
import type { Endpoint } from '../pipeline/contract/endpoint.ts'
import type { StageServices } from '../pipeline/contract/stage-services.ts'
import type { StageOrder } from '../pipeline/order.ts'
import type { ApiPorts } from '../ports/api-ports.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import { settleListenPaths } from '../route/listen-path-conflicts.ts'
import { type PolicyReading, parsePolicies } from '../session/policies/parse-policies.ts'
import type { FailedDefinition, ReloadReport, UnsupportedFeature } from './report.ts'
import { makeRouteTables, type PlacedRoute } from './route-tables.ts'
import type { RoutingSnapshot } from './routing-snapshot.ts'
import { settlePorts } from './settle-ports.ts'
import { makeSlices, type Slices } from './slices.ts'

export interface LoadInput {
  readonly snapshot: SourceSnapshot
  readonly running: RoutingSnapshot | undefined
  readonly services: StageServices
  readonly order: StageOrder
  readonly endpoints: readonly Endpoint[]
  readonly findApi: (apiId: string) => CompiledApi | undefined
  /** Resolves `env://NAME` and `secrets://NAME` in definitions. */
  readonly secret: SecretLookup
  /** Reads template files that definitions name. */
  readonly readTemplate: ReadTemplate
  /** Reads the sources of scripts. */
  readonly scriptFiles?: ScriptFiles | undefined
  /** Opens the TCP ports that APIs have of their own. Absent: no port is opened. */
  readonly ports?: ApiPorts | undefined
}

export interface Loaded {
  /** `undefined`: the reload was dropped, and the current snapshot stays. */
  readonly next: RoutingSnapshot | undefined
  readonly report: Omit<ReloadReport, 'startedAt' | 'durationMs'>
  /** Compiled APIs that the next snapshot no longer contains. */
  readonly retired: readonly CompiledApi[]
}

export async function load(input: LoadInput): Promise<Loaded> {
  const { snapshot, running, services } = input
  const policies = parsePolicies(snapshot.policies, running?.policies)
  const dropped = reasonToDrop(snapshot, policies, running)
  if (dropped !== undefined) return drop(dropped, running, policies)

  const slices = makeSlices(services.clock)
  const read = await parseAll(input, slices)
  const placed = await readScripts(await placeOnPorts(read, input), read, input)
  await slices.begin()
  const { strictRoutes } = services.settings.routing
  const settled = settleListenPaths(placed, (running?.apis ?? []).map(routeOf), { strictRoutes })
  const reusable = new Map(running?.apis.map((api) => [identityOf(api.definition), api]))
  const changed: string[] = []
  await slices.begin()
  const routes: PlacedRoute[] = []
  for (const { definition, shadowed } of settled.routes) {
    const kept = reusable.get(identityOf(definition))
    reusable.delete(identityOf(definition))
    if (kept === undefined) changed.push(definition.source)
    const slot =
      kept ?? (isStream(definition) ? compileStream(definition, services) : compileApi(definition, services, input))
    const { id: apiId, domain, port } = definition
    const isRouted = !definition.internal && slot.stream === undefined
    const listenPath = isRouted && !shadowed ? definition.listenPath : undefined
    routes.push({ slot, apiId, domain, port, byId: isRouted, listenPath })
    await slices.pause()
  }
  const apis = routes.map((route) => route.slot)
  const sources = new Set(apis.map((api) => api.definition.source))
  await slices.begin()
  const tables = await makeRouteTables(routes, services, slices)
  await slices.begin()
  return {
    next: {
      ...tables,
      streams: new Map(apis.flatMap(({ definition, stream }) => (stream ? [[definition.port, stream] as const] : []))),
      byId: new Map(apis.map((api) => [api.definition.id, api])),
      apis,
      parsed: read.parsed,
      policies,
      policiesHash: policiesHashOf(snapshot),
    },
    retired: [...reusable.values()],
    report: {
      loaded: apis.length,
      changed,
      removed: (running?.apis ?? []).map((api) => api.definition.source).filter((source) => !sources.has(source)),
      failed: read.failed,
      renamed: settled.renames.map(({ apiId, from, to }) => ({ apiId, from, to })),
      policies: policiesReport(policies, policies),
      unsupported: apis.flatMap(({ definition }) => unsupportedIn(definition)),
    },
  }
}

/**
 * Reads the scripts of the definitions, at every reload, because files change without their definition. An API whose
 * bundle cannot be loaded is reported and keeps its last good version, if it has one.
 */
async function readScripts(
  definitions: readonly ApiDefinition[],
  read: ParsedAll,
  { running, services, scriptFiles }: LoadInput,
): Promise<readonly ApiDefinition[]> {
  const served: ApiDefinition[] = []
  for (const definition of definitions) {
    const made = await withScripts(definition, services.settings.scripts, scriptFiles)
    if ('definition' in made) {
      served.push(made.definition)
      continue
    }
    const { source } = definition
    const before = running?.apis.find((api) => api.definition.source === source)?.definition
    read.failed.push({ source, reason: made.problem, keptOld: before !== undefined })
    if (before !== undefined) served.push(before)
  }
  return served
}

/** Opens the ports. An API whose port cannot be opened is reported and keeps its last good version, if it has one. */
async function placeOnPorts(read: ParsedAll, input: LoadInput): Promise<readonly ApiDefinition[]> {
  const { running, snapshot, services } = input
  const mayServe = (definition: ApiDefinition) => definition.active || !services.settings.honourActive
  const { served, failures } = await settlePorts({
    definitions: read.served,
    running: running?.apis.map((api) => api.definition) ?? [],
    lastGood(source) {
      const before = running?.parsed.get(source)
      return before !== undefined && mayServe(before) ? before : undefined
    },
    ports: input.ports,
  })
  for (const { definition, message, keptOld } of failures) {
    const { source } = definition
    const before = keptOld ? running?.parsed.get(source) : undefined
    // Without an entry the next reload parses the file again, when the port may be free.
    if (before === undefined) read.parsed.delete(source)
    else read.parsed.set(source, before)
    const text = snapshot.definitions.find(({ name }) => name === source)?.text
    const place = text === undefined ? {} : locateJson(text, ['listen_port'])
    read.failed.push({ source, reason: `listen_port: ${message}`, keptOld, ...place })
  }
  return served
}

/**
 * An unreadable policy file drops the reload (recorded suite reload-policies), so that new definitions do not run with
 * old policies. The first load has no previous policies, so it serves the definitions without policies.
 */
function reasonToDrop(
  { policies, definitionsProblem }: SourceSnapshot,
  { problems }: PolicyReading,
  running: RoutingSnapshot | undefined,
): string | undefined {
  if (running === undefined) return undefined
  if (policies.kind !== 'map') return definitionsProblem
  const whole = problems.find(({ source }) => source === policies.document.name)
  return whole === undefined ? definitionsProblem : `${whole.source} cannot be read: ${whole.message}`
}

function drop(reason: string, running: RoutingSnapshot | undefined, policies: PolicyReading): Loaded {
  return {
    next: undefined,
    retired: [],
    report: {
      loaded: running?.apis.length ?? 0,
      changed: [],
      removed: [],
      failed: [],
      renamed: [],
      policies: policiesReport(running?.policies ?? policies, policies),
      unsupported: (running?.apis ?? []).flatMap(({ definition }) => unsupportedIn(definition)),
      dropped: reason,
    },
  }
}

/** What served definitions ask for and the gateway cannot do. */
function unsupportedIn(definition: ApiDefinition): UnsupportedFeature[] {
  const { id: apiId, source, document } = definition
  const fields = unsupportedInDefinition(document).map(({ path, status, reason }) => ({
    field: printJsonPath(path),
    reason,
    closes: status === 'refused',
  }))
  return [...fields, ...scriptsThatCannotRun(definition)].map((found) => ({ apiId, source, ...found }))
}

/** Reports how many policies are in force, and the problems of the policies that were read. */
function policiesReport(inForce: PolicyReading, { problems }: PolicyReading): ReloadReport['policies'] {
  const count = inForce.book.size
  if (problems.length === 0) return { count }
  return { count, problem: problems.map(({ source, message }) => `${source}: ${message}`).join('; ') }
}

function policiesHashOf({ policies }: SourceSnapshot): string {
  if (policies.kind === 'none') return ''
  if (policies.kind === 'map') return policies.document.hash
  return policies.documents.map((document) => `${document.name}:${document.hash}`).join('\n')
}

function routeOf({ definition }: CompiledApi) {
  return {
    apiId: definition.id,
    port: definition.port,
    domain: definition.domain,
    listenPath: definition.listenPath,
    source: definition.source,
  }
}

/** Definitions with equal identities compile to the same API. */
function identityOf(definition: ApiDefinition): string {
  return `${definition.source}\n${definition.hash}\n${definition.listenPath}`
}

interface ParsedAll {
  readonly served: ApiDefinition[]
  readonly parsed: Map<string, ApiDefinition>
  readonly failed: FailedDefinition[]
}

async function parseAll(input: LoadInput, slices: Slices): Promise<ParsedAll> {
  const { honourActive } = input.services.settings
  const all: ParsedAll = { served: [], parsed: new Map(), failed: [] }
  for (const document of input.snapshot.definitions) {
    const known = input.running?.parsed.get(document.name)
    const definition = known?.hash === document.hash ? known : parseOne(document, known, input, all)
    await slices.pause()
    if (definition === undefined) continue
    all.parsed.set(document.name, definition)
    if (definition.active || !honourActive) all.served.push(definition)
  }
  return all
}

/** Why a definition could not be loaded. An unreadable file has no line and column. */
type Failure = Pick<DefinitionProblem, 'message'> & Partial<Pick<DefinitionProblem, 'line' | 'column' | 'path'>>

/** Parses a definition. If the file is invalid, the last good version of its API is returned. */
function parseOne(
  document: SourceDocument,
  known: ApiDefinition | undefined,
  { secret, readTemplate, services }: LoadInput,
  all: ParsedAll,
): ApiDefinition | undefined {
  const failure: Failure | { definition: ApiDefinition } =
    document.text === undefined
      ? { message: document.problem ?? 'cannot be read' }
      : parse(document.text, document, secret, readTemplate, services.settings)
  if ('definition' in failure) {
    warnOfRisks(failure.definition, services)
    return failure.definition
  }
  all.failed.push({
    source: document.name,
    reason: failure.path?.length ? `${printJsonPath(failure.path)}: ${failure.message}` : failure.message,
    keptOld: known !== undefined,
    ...(failure.line === undefined ? {} : { line: failure.line }),
    ...(failure.column === undefined ? {} : { column: failure.column }),
  })
  return known
}

function parse(
  text: string,
  document: SourceDocument,
  secret: SecretLookup,
  readTemplate: ReadTemplate,
  { ports, vendor }: Pick<GatewaySettings, 'ports' | 'vendor'>,
) {
  const { name, hash, sidecar } = document
  const parsed = parseDefinition(text, name, hash, { secret, vendor, sidecar, ports })
  if (parsed.definition === undefined) return parsed.problem
  const complete = withTemplateFiles(parsed.definition, readTemplate)
  return 'problem' in complete ? complete.problem : complete
}

/** Logs what a definition depends on that a client can forge. */
function warnOfRisks({ id, document }: ApiDefinition, { settings, log }: LoadInput['services']): void {
  const { xffDepth, trustsPeer } = settings.routing
  const clientAddresses = xffDepth > 0 || trustsPeer !== undefined ? 'trusted' : 'any'
  const report: Report = (_, path, message) => log.warn(message, { api: id, field: printJsonPath(path) })
  securityLint(document, report, { clientAddresses, vendor: settings.vendor })
}
