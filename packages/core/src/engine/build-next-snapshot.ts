/**
 * Builds the next routing snapshot while the current one serves: parse, resolve listen path conflicts, compile. An API
 * whose definition did not change keeps its compiled form. `parse-or-keep-last-good.ts` reads
 * the definitions; the reloader swaps the snapshots. Source: docs/reference/hot-reload.md#reload-contents.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import type { SourceSnapshot } from '../definition/definition-source.ts'
import { needsGraphql } from '../definition/graphql-settings.ts'
import { primitivePathTest } from '../definition/mcp/primitive.ts'
import { scriptsThatCannotRun } from '../definition/scripts/scripts-that-cannot-run.ts'
import { unsupportedInDefinition } from '../definition/support-status/definition-support.ts'
import { findBrokenPath, reasonOfBrokenPath } from '../definition/version-path-rules.ts'
import { isStream } from '../http/listen-address.ts'
import type { GatewayRequest } from '../http/messages.ts'
import { loadGraphql } from '../lib/graphql/load-graphql.ts'
import { printJsonPath } from '../lib/shape/json-path.ts'
import { type CompiledApi, compileApi } from '../pipeline/compile/compiled-api.ts'
import { compileStream } from '../pipeline/compile/stream-api.ts'
import type { Endpoint } from '../pipeline/contract/endpoint.ts'
import type { StageServices } from '../pipeline/contract/stage-services.ts'
import type { StageOrder } from '../pipeline/stage-order.ts'
import { settleListenPaths } from '../route/listen-path-conflicts.ts'
import { type ListenPathTable, type ListenRoute, makeListenPathTable } from '../route/listen-path-table.ts'
import { type PolicyReading, parsePolicies } from '../session/policies/parse-policies.ts'
import { type DefinitionsInput, parseAll, placeOnPorts, readScripts } from './parse-or-keep-last-good.ts'
import type { ReloadReport, UnsupportedFeature } from './reload-report.ts'
import type { RoutingSnapshot } from './routing-snapshot.ts'
import { makeSlices, type Slices } from './time-slices.ts'

interface SnapshotInput extends DefinitionsInput {
  readonly order: StageOrder
  readonly endpoints: readonly Endpoint[]
  readonly findApi: (apiId: string) => CompiledApi | undefined
  /** Settings have changed, so unchanged definitions are compiled again as well. */
  readonly recompiles: boolean
}

export interface NextSnapshot {
  /** `undefined`: the reload was dropped, and the current snapshot stays. */
  readonly next: RoutingSnapshot | undefined
  readonly report: Omit<ReloadReport, 'startedAt' | 'durationMs'>
  /** Compiled APIs that the next snapshot no longer contains. */
  readonly retired: readonly CompiledApi[]
}

export async function buildNextSnapshot(input: SnapshotInput): Promise<NextSnapshot> {
  const { source, running, services } = input
  const policies = parsePolicies(source.policies, running?.policies, services.settings)
  const dropped = reasonToDrop(source, policies, running)
  if (dropped !== undefined) return drop(dropped, running, policies)

  const slices = makeSlices(services.clock)
  const read = await parseAll(input, slices)
  const placed = await readScripts(await placeOnPorts(read, input), read, input)
  await slices.begin()
  const { strictRoutes } = services.settings.routing
  const settled = settleListenPaths(placed, (running?.apis ?? []).map(routeOf), { strictRoutes })
  const reusable = new Map(running?.apis.map((api) => [identityOf(api.definition), api]))
  if (settled.routes.some(({ definition }) => needsGraphql(definition))) await loadGraphql()
  const changed: string[] = []
  await slices.begin()
  const routes: PlacedRoute[] = []
  for (const { definition, shadowed } of settled.routes) {
    const same = reusable.get(identityOf(definition))
    const kept = input.recompiles ? undefined : same
    if (kept !== undefined) reusable.delete(identityOf(definition))
    if (same === undefined) changed.push(definition.source)
    const slot =
      kept ?? (isStream(definition) ? compileStream(definition, services) : compileApi(definition, services, input))
    const { id: apiId, domain, port } = definition
    const isRouted = !definition.internal && slot.stream === undefined
    const listenPath = isRouted && !shadowed ? definition.listenPath : undefined
    routes.push({ slot, apiId, domain, port, isRoutedById: isRouted, listenPath })
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
      apisById: new Map(apis.map((api) => [api.definition.id, api])),
      apis,
      parsed: read.parsed,
      policies,
      policiesHash: policiesHashOf(source),
    },
    retired: [...reusable.values()],
    report: {
      loaded: apis.length,
      changed,
      removed: (running?.apis ?? []).map((api) => api.definition.source).filter((source) => !sources.has(source)),
      failed: read.failed,
      renamed: settled.renames.map(({ apiId, from, to }) => ({ apiId, from, to })),
      policies: policiesReport(policies, policies, running?.policiesHash !== policiesHashOf(source)),
      unsupported: apis.flatMap(({ definition }) => unsupportedIn(definition)),
    },
  }
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

function drop(reason: string, running: RoutingSnapshot | undefined, policies: PolicyReading): NextSnapshot {
  return {
    next: undefined,
    retired: [],
    report: {
      loaded: running?.apis.length ?? 0,
      changed: [],
      removed: [],
      failed: [],
      renamed: [],
      policies: policiesReport(running?.policies ?? policies, policies, false),
      unsupported: (running?.apis ?? []).flatMap(({ definition }) => unsupportedIn(definition)),
      dropped: reason,
    },
  }
}

/** What served definitions ask for and the gateway cannot do. */
function unsupportedIn(definition: ApiDefinition): UnsupportedFeature[] {
  const { id: apiId, source, document, unknownFields = [] } = definition
  const fields = [...unsupportedInDefinition(document), ...unknownFields].map(({ path, status, reason, instead }) => ({
    field: printJsonPath(path),
    reason: status === 'unknown' ? 'it is not a known field' : reason,
    instead,
    closes: status === 'rejected',
    ...(status === 'stored' ? { isHarmless: true } : {}),
  }))
  const found = [...fields, ...scriptsThatCannotRun(definition), ...brokenPathsIn(definition)]
  return found.map((one) => ({ apiId, source, ...one }))
}

function brokenPathsIn({ versions, document }: ApiDefinition): Omit<UnsupportedFeature, 'apiId' | 'source'>[] {
  const isLiteral = primitivePathTest(document)
  return [...versions.values()].flatMap(({ name, paths }) => {
    const broken = findBrokenPath(paths, isLiteral)
    if (broken === undefined) return []
    const field = printJsonPath(['version_data', 'versions', name, 'extended_paths', broken.list])
    return [{ field, reason: reasonOfBrokenPath(broken), closes: true }]
  })
}

/** Reports how many policies are in force, and the problems of the policies that were read. */
function policiesReport(
  inForce: PolicyReading,
  { problems, warnings, stored }: PolicyReading,
  changed: boolean,
): ReloadReport['policies'] {
  const counted = {
    count: inForce.book.size,
    changed,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(stored.length === 0 ? {} : { stored }),
  }
  if (problems.length === 0) return counted
  return {
    ...counted,
    problem: problems.map(({ source, message }) => `${source}: ${message}`).join('; '),
    problems: problems.map(({ message: reason, ...problem }) => ({ ...problem, reason })),
  }
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

/** A route with its TCP port. */
interface PlacedRoute extends ListenRoute<CompiledApi> {
  /** 0: the gateway's port. */
  readonly port: number
}

/** Builds one table for the gateway's port and one for each port that APIs have of their own. */
async function makeRouteTables(
  routes: readonly PlacedRoute[],
  { settings }: StageServices,
  slices: Slices,
): Promise<Pick<RoutingSnapshot, 'routes' | 'onPorts'>> {
  const { strictRoutes } = settings.routing
  const make = (own: readonly PlacedRoute[]) => {
    return makeListenPathTable([...own, ...own.flatMap(extraRoutes)], { ...settings, strictRoutes })
  }
  const onOwnPorts = routes.filter(({ port, isRoutedById }) => port !== 0 && isRoutedById)
  if (onOwnPorts.length === 0) return { routes: make(routes), onPorts: new Map() }
  const onPorts = new Map<number, ListenPathTable<CompiledApi>>()
  for (const port of new Set(onOwnPorts.map((route) => route.port))) {
    onPorts.set(port, make(onOwnPorts.filter((route) => route.port === port)))
    await slices.pause()
  }
  return { routes: make(routes.filter(({ port }) => port === 0)), onPorts }
}

/** The routes of an API at the root, outside of its listen path. */
function extraRoutes({ slot, domain, listenPath }: ListenRoute<CompiledApi>): ListenRoute<CompiledApi>[] {
  const { rootRoutes } = slot
  if (rootRoutes === undefined || listenPath === undefined) return []
  return rootRoutes.map((route) => {
    const handle = (request: GatewayRequest) => route.handle(request)
    const extra: CompiledApi = { definition: slot.definition, handle, release() {} }
    return { slot: extra, apiId: '', domain, isRoutedById: false, listenPath: route.listenPath }
  })
}
