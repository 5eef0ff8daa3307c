/**
 * One API ready to serve: passes a request to an endpoint or to the chain of its version, which `select-version.ts`
 * finds. It is made when a definition is loaded and kept as long as the text of the definition stays the same.
 */
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import { removeHeader } from '../../http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { collectingLookup } from '../../lib/secret-lookup.ts'
import type { Clock } from '../../ports/clock.ts'
import { checkRequestLine } from '../../route/check-request-line.ts'
import type { StreamRoute } from '../../route/stream-route.ts'
import type { Dispatch, Endpoint } from '../contract/endpoint.ts'
import { RequestContext } from '../contract/request-context.ts'
import type { StageServices } from '../contract/stage-services.ts'
import type { Trace } from '../contract/stage-trace.ts'
import type { RequestSpan } from '../contract/tracing.ts'
import { withSpan } from '../shared/with-span.ts'
import { type StageOrder, stageOrder } from '../stage-order.ts'
import { type Chain, runChain } from './chain.ts'
import { type Endpoints, makeEndpoints } from './endpoints.ts'
import { LoopedRequest } from './looped-request.ts'
import { makeEndpointRoutes, makeRootMetadata, type RootRoute } from './root-routes.ts'
import { type FamilySelection, type RouteMatch, VersionSelector } from './select-version.ts'

export interface CompiledApi {
  readonly definition: ApiDefinition
  /**
   * Handles a request for this API. `matched`: length of the listen path in the path of the request. 0 if the request was
   * routed by the id of the API or comes from a loop (`svc://`): then nothing is stripped. `span`: absent if requests
   * have none. `from`: set if the base API of a version family passed the request to this API.
   */
  handle(
    request: GatewayRequest,
    matched: number,
    trace: Trace | undefined,
    span?: RequestSpan,
    from?: FamilySelection,
  ): Maybe<GatewayResponse>
  /** Releases connection pools and breakers. Requests in flight finish. */
  release(): void
  /** Routes outside the listen path. Default: none. */
  readonly rootRoutes?: readonly RootRoute[]
  /** Set for APIs that forward a byte stream and have no chain; absent for APIs of HTTP. */
  readonly stream?: StreamRoute
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
 * One object with fields instead of a closure per step: with thousands of APIs, each access to another object is likely
 * to be a cache miss (docs/decisions/0006).
 */
class ServedApi implements CompiledApi {
  readonly definition: ApiDefinition
  /** The only version and its chain, if the API has no named versions and no family. */
  private readonly onlyVersion: ApiVersion | undefined
  private readonly onlyChain: Chain | undefined
  private readonly strips: boolean
  private readonly clock: Clock
  private readonly endpoints: Endpoints | undefined
  private readonly versions: VersionSelector<CompiledApi>
  readonly rootRoutes: readonly RootRoute[]
  private readonly releases: (() => void)[] = []
  /** Values of secrets that the definition uses; traces do not show them. */
  private readonly secrets: Set<string>

  constructor(definition: ApiDefinition, services: StageServices, options: CompileOptions) {
    const { order = stageOrder, endpoints = [], findApi } = options
    this.secrets = new Set(definition.secrets?.values)
    // The new field precedes the copied ones, so that all APIs share a hidden class (docs/profiling.md).
    const ownServices: StageServices = {
      onRelease: (release) => this.releases.push(release),
      ...services,
      secret: services.secret && collectingLookup(services.secret, this.secrets),
    }
    this.versions = new VersionSelector(definition, ownServices, order, findApi)
    this.definition = definition
    this.onlyVersion = this.versions.unversioned?.version
    this.onlyChain = this.versions.unversioned?.chain
    this.strips = definition.document.proxy.stripListenPath
    this.clock = services.clock
    this.endpoints = makeEndpoints(definition, ownServices, endpoints, this.makeDispatch(services))
    const metadata = makeRootMetadata(definition, ownServices)
    const ofEndpoints = makeEndpointRoutes(definition, ownServices, endpoints, (endpoint, request) =>
      this.respondAtRoot(endpoint, request),
    )
    this.rootRoutes = metadata === undefined ? ofEndpoints : [metadata, ...ofEndpoints]
  }

  handle(
    request: GatewayRequest,
    matched: number,
    trace: Trace | undefined,
    span?: RequestSpan,
    from?: FamilySelection,
  ): Maybe<GatewayResponse> {
    const { endpoints } = this
    const apiPath = apiPathOf(request, matched)
    // Looped requests and those of a family's base go to the chain only, never to an endpoint.
    const endpoint =
      endpoints === undefined || from !== undefined || request instanceof LoopedRequest
        ? undefined
        : endpoints.at(request.path, apiPath)
    const match: RouteMatch = {
      matched,
      apiPath,
      stripped: from,
      byDefault: from?.byDefault === true ? from.name : '',
      readsLimits: endpoint === 'limits' || from?.readsLimits === true,
      span,
    }
    if (endpoint !== undefined && endpoint !== 'limits' && endpoints !== undefined) {
      const { version, chain } = endpoints.own(endpoint)
      return this.start(version, chain, request, match, trace)
    }
    if (this.onlyChain !== undefined && this.onlyVersion !== undefined) {
      return this.start(this.onlyVersion, this.onlyChain, request, match, trace)
    }
    const selected =
      from === undefined ? this.versions.select(request, match) : this.versions.selectInside(request, match)
    if ('api' in selected) return selected.api.handle(request, matched, trace, span, selected)
    return this.start(selected.version, selected.chain, request, match, trace)
  }

  release(): void {
    for (const release of this.releases.splice(0)) release()
  }

  /** Handles a request that is part of another one, in a span of its own if that one has a span. */
  private makeDispatch({ errors, tracing }: StageServices): Dispatch {
    const handle = (item: GatewayRequest, matched: number, trace: Trace | undefined, span?: RequestSpan) => {
      const rejection = checkRequestLine(item.method, item.path)
      return rejection === undefined ? this.handle(item, matched, trace, span) : errors.render(rejection, item)
    }
    if (tracing === undefined) return (item, matched) => handle(item, matched, undefined)
    return (item, matched, parent) => {
      const spanned = { request: item, port: 0, isWanted: false }
      return withSpan(tracing, tracing.start(item, parent), spanned, (trace, span) =>
        handle(item, matched, trace, span),
      )
    }
  }

  private respondAtRoot(endpoint: Endpoint, request: GatewayRequest): Maybe<GatewayResponse> {
    const { version, chain } = this.endpoints?.own(endpoint) ?? this.versions.rejection('missing', false)
    return this.start(version, chain, request, rootMatch, undefined)
  }

  private start(
    version: ApiVersion,
    chain: Chain,
    request: GatewayRequest,
    match: Readonly<RouteMatch>,
    trace: Trace | undefined,
  ): Maybe<GatewayResponse> {
    if (trace !== undefined) for (const secret of this.secrets) trace.hide(secret)
    const { matched, apiPath, stripped } = match
    const path = stripped?.path ?? apiPath
    const outgoingPath =
      this.strips && matched > 0
        ? path
        : request.path.slice(0, matched) + (matched > 0 ? bare(path, request, matched) : path)
    const context = new RequestContext(
      request,
      this.definition,
      version,
      path,
      apiPath,
      outgoingPath,
      this.clock.now(),
      trace,
    )
    context.defaultVersion = match.byDefault
    if (match.span !== undefined) {
      context.span = match.span
      match.span.entered(context)
    }
    if (request instanceof LoopedRequest) request.continueIn(context)
    if (stripped !== undefined) {
      context.outgoing.query = stripped.query
      if (stripped.header !== undefined) removeHeader(context.outgoing.ownHeaders(), stripped.header)
    }
    return runChain(match.readsLimits ? (this.endpoints?.limits({ version, chain }) ?? chain) : chain, context)
  }
}

/** A request outside the listen path, to an endpoint that needs no path below it. */
const rootMatch: Readonly<RouteMatch> = {
  matched: 0,
  apiPath: '/',
  stripped: undefined,
  byDefault: '',
  readsLimits: false,
  span: undefined,
}

function apiPathOf(request: GatewayRequest, matched: number): string {
  const rest = matched === 0 ? request.path : request.path.slice(matched)
  return rest.charCodeAt(0) === 0x2f ? rest : `/${rest}`
}

/** Removes the leading slash that `apiPathOf` added, for APIs that keep the listen path. */
function bare(path: string, request: GatewayRequest, matched: number): string {
  return request.path.charCodeAt(matched) === 0x2f ? path : path.slice(1)
}
