/**
 * One API ready to serve: a chain for each of its versions, and how the version of a request is found. Made when a
 * definition is loaded, kept as long as its text stays the same. Source: spec/apis-and-pipeline.md 4.1.
 */
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import { removeHeader } from '../../http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Clock } from '../../ports/clock.ts'
import { makeFamilyResolver, makeVersionResolver, type Stripped } from '../../route/resolve-version.ts'
import type { StreamRoute } from '../../route/stream-route.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { RequestContext } from '../contract/request-context.ts'
import type { StageServices } from '../contract/stage-services.ts'
import type { Trace } from '../contract/trace.ts'
import { type StageOrder, stageOrder } from '../order.ts'
import { type Chain, makeChain, runChain } from './chain.ts'
import { type Endpoints, makeEndpoints, type Way } from './endpoints.ts'
import { LoopedRequest } from './looped-request.ts'
import { makeRootMetadata, type RootMetadata } from './mcp-root-metadata.ts'
import { makeVersionRejections } from './version-rejections.ts'

export interface CompiledApi {
  readonly definition: ApiDefinition
  /**
   * Answers a request for this API. `matched`: characters of the path that the listen path took; 0 below the API's id,
   * where nothing is stripped.
   */
  handle(request: GatewayRequest, matched: number, trace: Trace | undefined): Maybe<GatewayResponse>
  /** Answers a request that the base API of a family handed on. */
  handleAsChild(
    request: GatewayRequest,
    matched: number,
    trace: Trace | undefined,
    from: FamilySelection,
  ): Maybe<GatewayResponse>
  /** Gives its shares of connection pools and breakers back. Requests in flight finish. */
  release(): void
  /** A path outside of the API's own that it answers as well; absent: there is none. */
  readonly beside?: RootMetadata | undefined
  /** Bytes pass as they are: there is no chain; absent: an API of HTTP. */
  readonly stream?: StreamRoute
}

/** What the base of a family found out. */
export interface FamilySelection extends Stripped {
  readonly byDefault: boolean
  readonly name: string
  /** The key's limits are asked for, not the upstream. */
  readonly readsLimits: boolean
}

export interface CompileOptions {
  readonly order?: StageOrder
  /** Endpoints that are attached to the gateway. Default: none. */
  readonly endpoints?: readonly Endpoint[]
  /** APIs that are served at the moment of the call, also internal ones: for families of versions. */
  readonly findApi: (apiId: string) => CompiledApi | undefined
}

export function compileApi(definition: ApiDefinition, services: StageServices, options: CompileOptions): CompiledApi {
  return new ServedApi(definition, services, options)
}

/**
 * One object with what a request needs in its fields, not a closure for each step: of thousands of APIs each is cold
 * when it is asked for, and every object on the way is a look into slow memory (docs/decisions/0006).
 */
class ServedApi implements CompiledApi {
  readonly definition: ApiDefinition
  /** The only version and its chain, where there are no versions to choose from. */
  private readonly onlyVersion: ApiVersion | undefined
  private readonly onlyChain: Chain | undefined
  private readonly strips: boolean
  private readonly clock: Clock
  private readonly endpoints: Endpoints | undefined
  private readonly resolveFamily: FamilyResolver | undefined
  readonly beside: RootMetadata | undefined
  private readonly branches = new Map<string, Way>()
  private readonly resolveVersion: VersionResolver
  private readonly refusal: (kind: 'missing' | 'unknown' | 'no-default', family: boolean) => Way
  private readonly findApi: CompileOptions['findApi']
  private readonly releases: (() => void)[] = []

  constructor(definition: ApiDefinition, services: StageServices, options: CompileOptions) {
    const { order = stageOrder, endpoints = [], findApi } = options
    const counted: StageServices = { ...services, onRelease: (release) => this.releases.push(release) }
    for (const [name, version] of definition.versions) {
      this.branches.set(name, { version, chain: makeChain({ api: definition, version, services: counted }, order) })
    }
    const only = definition.versioning.kind === 'none' ? this.branches.values().next().value : undefined
    this.definition = definition
    this.onlyVersion = only?.version
    this.onlyChain = only?.chain
    this.strips = definition.document.proxy.stripListenPath
    this.clock = services.clock
    this.endpoints = makeEndpoints(definition, counted, endpoints, (item, matched) =>
      this.handle(item, matched, undefined),
    )
    this.resolveFamily = definition.family === undefined ? undefined : makeFamilyResolver(definition.family)
    this.beside = makeRootMetadata(definition, counted)
    this.resolveVersion = makeVersionResolver(definition)
    this.refusal = makeVersionRejections(definition, counted, order.records)
    this.findApi = findApi
  }

  handle(request: GatewayRequest, matched: number, trace: Trace | undefined): Maybe<GatewayResponse> {
    const { endpoints, resolveFamily } = this
    const behind = behindListenPath(request, matched)
    // The chain alone is what a loop is about.
    const endpoint =
      endpoints === undefined || request instanceof LoopedRequest ? undefined : endpoints.at(behind, matched)
    const arrival: Arrival = {
      matched,
      behind,
      stripped: undefined,
      byDefault: '',
      readsLimits: endpoint === 'limits',
    }
    if (endpoint !== undefined && endpoint !== 'limits' && endpoints !== undefined) {
      const { version, chain } = endpoints.own(endpoint)
      return this.start(version, chain, request, arrival, trace)
    }
    if (resolveFamily === undefined) return this.serve(request, arrival, trace)
    const choice = resolveFamily({ headers: request.headers, query: request.query, path: behind })
    if (choice.kind === 'self') {
      const byDefault = choice.byDefault ? choice.name : ''
      return this.serve(request, { ...arrival, stripped: choice, byDefault }, trace)
    }
    const child = choice.kind === 'child' ? this.findApi(choice.apiId) : undefined
    if (child !== undefined && choice.kind === 'child') {
      return child.handleAsChild(request, matched, trace, { ...choice, readsLimits: arrival.readsLimits })
    }
    return this.refuse(choice.kind === 'missing' ? 'missing' : 'unknown', true, request, arrival, trace)
  }

  handleAsChild(
    request: GatewayRequest,
    matched: number,
    trace: Trace | undefined,
    from: FamilySelection,
  ): Maybe<GatewayResponse> {
    const { readsLimits } = from
    const byDefault = from.byDefault ? from.name : ''
    const behind = behindListenPath(request, matched)
    return this.serve(request, { matched, behind, stripped: from, byDefault, readsLimits }, trace)
  }

  release(): void {
    for (const release of this.releases.splice(0)) release()
  }

  /** Within this definition. */
  private serve(request: GatewayRequest, arrival: Arrival, trace: Trace | undefined): Maybe<GatewayResponse> {
    if (this.onlyChain !== undefined && this.onlyVersion !== undefined) {
      return this.start(this.onlyVersion, this.onlyChain, request, arrival, trace)
    }
    const { headers } = request
    const path = arrival.stripped?.path ?? arrival.behind
    const choice = this.resolveVersion({ headers, query: arrival.stripped?.query ?? request.query, path })
    if (choice.kind !== 'version') return this.refuse(choice.kind, false, request, arrival, trace)
    const { version, chain } = this.branches.get(choice.version.name) as Way
    const byDefault = choice.byDefault ? version.name : arrival.byDefault
    return this.start(version, chain, request, { ...arrival, stripped: choice, byDefault }, trace)
  }

  private refuse(
    kind: 'missing' | 'unknown' | 'no-default',
    family: boolean,
    request: GatewayRequest,
    arrival: Arrival,
    trace: Trace | undefined,
  ): Maybe<GatewayResponse> {
    const { version, chain } = this.refusal(kind, family)
    return this.start(version, chain, request, arrival, trace)
  }

  private start(
    version: ApiVersion,
    chain: Chain,
    request: GatewayRequest,
    arrival: Arrival,
    trace: Trace | undefined,
  ): Maybe<GatewayResponse> {
    const { matched, behind, stripped } = arrival
    const path = stripped?.path ?? behind
    const outgoingPath =
      this.strips && matched > 0
        ? path
        : request.path.slice(0, matched) + (matched > 0 ? bare(path, request, matched) : path)
    const context = new RequestContext(
      request,
      this.definition,
      version,
      path,
      behind,
      outgoingPath,
      this.clock.now(),
      trace,
    )
    context.defaultVersion = arrival.byDefault
    if (request instanceof LoopedRequest) request.continueIn(context)
    if (stripped !== undefined) {
      context.outgoing.query = stripped.query
      if (stripped.header !== undefined) removeHeader(context.outgoing.ownHeaders(), stripped.header)
    }
    return runChain(arrival.readsLimits ? (this.endpoints?.limits({ version, chain }) ?? chain) : chain, context)
  }
}

type FamilyResolver = ReturnType<typeof makeFamilyResolver>
type VersionResolver = ReturnType<typeof makeVersionResolver>

/** Where a request stands when its chain begins. */
interface Arrival {
  readonly matched: number
  /** Path behind the listen path, with a leading slash. */
  readonly behind: string
  /** What is left when the version's name is taken off. */
  readonly stripped: Stripped | undefined
  /** Name of the version that serves a request that did not name it; empty: it did, or there are none. */
  readonly byDefault: string
  readonly readsLimits: boolean
}

function behindListenPath(request: GatewayRequest, matched: number): string {
  const rest = matched === 0 ? request.path : request.path.slice(matched)
  return rest.charCodeAt(0) === 0x2f ? rest : `/${rest}`
}

/** The path behind a listen path that stays: without the slash that was put before it, where the client sent none. */
function bare(path: string, request: GatewayRequest, matched: number): string {
  return request.path.charCodeAt(matched) === 0x2f ? path : path.slice(1)
}
