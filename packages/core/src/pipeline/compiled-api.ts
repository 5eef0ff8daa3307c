/**
 * One API ready to serve: a chain for each of its versions, and how the version of a request is found. Made when a
 * definition is loaded, kept as long as its text stays the same. Source: spec/apis-and-pipeline.md 4.1.
 */
import type { ApiDefinition, ApiVersion } from '../definition/api-definition.ts'
import { type Answer, type GatewayRequest, removeHeader } from '../http.ts'
import type { Maybe } from '../maybe.ts'
import { makeFamilyResolver, makeVersionResolver, type Stripped } from '../route/resolve-version.ts'
import { type Chain, makeChain, runChain } from './chain.ts'
import { RequestContext } from './context.ts'
import { makeEndpoints } from './endpoints.ts'
import { LoopedRequest } from './looped-request.ts'
import { makeRootMetadata, type RootMetadata } from './mcp-root-metadata.ts'
import { type StageOrder, stageOrder } from './order.ts'
import type { Tools } from './tools.ts'
import type { Trace } from './trace.ts'
import { makeVersionRefusals } from './version-refusals.ts'

export interface CompiledApi {
  readonly definition: ApiDefinition
  /**
   * Answers a request for this API. `matched`: characters of the path that the listen path took; 0 below the API's id,
   * where nothing is stripped.
   */
  handle(request: GatewayRequest, matched: number, trace: Trace | undefined): Maybe<Answer>
  /** Answers a request that the base API of a family handed on. */
  handleAsChild(request: GatewayRequest, matched: number, trace: Trace | undefined, from: Handover): Maybe<Answer>
  /** Gives its shares of connection pools and breakers back. Requests in flight finish. */
  release(): void
  /** A path outside of the API's own that it answers as well; absent: there is none. */
  readonly beside?: RootMetadata | undefined
}

/** What the base of a family found out. */
export interface Handover extends Stripped {
  readonly byDefault: boolean
  readonly name: string
  /** The key's limits are asked for, not the upstream. */
  readonly asksLimits: boolean
}

export interface CompileOptions {
  readonly order?: StageOrder
  /** APIs that are served at the moment of the call, also internal ones: for families of versions. */
  readonly findApi: (apiId: string) => CompiledApi | undefined
}

interface Branch {
  readonly version: ApiVersion
  readonly chain: Chain
}

export function compileApi(
  definition: ApiDefinition,
  tools: Tools,
  { order = stageOrder, findApi }: CompileOptions,
): CompiledApi {
  const releases: (() => void)[] = []
  const counted: Tools = { ...tools, onRelease: (release) => releases.push(release) }
  const branches = new Map<string, Branch>()
  for (const [name, version] of definition.versions) {
    branches.set(name, { version, chain: makeChain({ api: definition, version, tools: counted }, order) })
  }
  const refuse = makeVersionRefusals(definition, counted, order.records)
  const only = definition.versioning.kind === 'none' ? branches.values().next().value : undefined
  const resolveVersion = makeVersionResolver(definition)
  const resolveFamily = definition.family === undefined ? undefined : makeFamilyResolver(definition.family)
  const strips = definition.document.proxy.stripListenPath

  const start = (
    branch: Branch,
    request: GatewayRequest,
    arrival: Arrival,
    trace: Trace | undefined,
  ): Maybe<Answer> => {
    const { matched, behind, stripped } = arrival
    const path = stripped?.path ?? behind
    const outgoingPath =
      strips && matched > 0
        ? path
        : request.path.slice(0, matched) + (matched > 0 ? bare(path, request, matched) : path)
    const context = new RequestContext(
      request,
      definition,
      branch.version,
      path,
      behind,
      outgoingPath,
      tools.clock.now(),
      trace,
    )
    context.defaultVersion = arrival.byDefault
    if (request instanceof LoopedRequest) request.continueIn(context)
    if (stripped !== undefined) {
      context.outgoing.query = stripped.query
      if (stripped.header !== undefined) removeHeader(context.outgoing.ownHeaders(), stripped.header)
    }
    return runChain(arrival.asksLimits ? (endpoints?.limits(branch) ?? branch.chain) : branch.chain, context)
  }

  /** Within this definition. */
  const serve = (request: GatewayRequest, arrival: Arrival, trace: Trace | undefined): Maybe<Answer> => {
    if (only !== undefined) return start(only, request, arrival, trace)
    const { headers } = request
    const path = arrival.stripped?.path ?? arrival.behind
    const choice = resolveVersion({ headers, query: arrival.stripped?.query ?? request.query, path })
    if (choice.kind !== 'version') return start(refuse(choice.kind, false), request, arrival, trace)
    const branch = branches.get(choice.version.name) as Branch
    const byDefault = choice.byDefault ? choice.version.name : arrival.byDefault
    return start(branch, request, { ...arrival, stripped: choice, byDefault }, trace)
  }

  const handle = (request: GatewayRequest, matched: number, trace: Trace | undefined): Maybe<Answer> => {
    const behind = behindListenPath(request, matched)
    // The chain alone is what a loop is about.
    const endpoint = request instanceof LoopedRequest ? undefined : endpoints?.at(behind, matched)
    const arrival: Arrival = {
      matched,
      behind,
      stripped: undefined,
      byDefault: '',
      asksLimits: endpoint === 'limits',
    }
    if (endpoint !== undefined && endpoint !== 'limits' && endpoints !== undefined) {
      return start(endpoints.own(endpoint), request, arrival, trace)
    }
    if (resolveFamily === undefined) return serve(request, arrival, trace)
    const choice = resolveFamily({ headers: request.headers, query: request.query, path: arrival.behind })
    if (choice.kind === 'self')
      return serve(request, { ...arrival, stripped: choice, byDefault: choice.byDefault ? choice.name : '' }, trace)
    const child = choice.kind === 'child' ? findApi(choice.apiId) : undefined
    if (child !== undefined && choice.kind === 'child') {
      return child.handleAsChild(request, matched, trace, { ...choice, asksLimits: arrival.asksLimits })
    }
    return start(refuse(choice.kind === 'missing' ? 'missing' : 'unknown', true), request, arrival, trace)
  }
  const endpoints = makeEndpoints(definition, counted, (item, matched) => handle(item, matched, undefined))

  return {
    definition,
    handle,
    beside: makeRootMetadata(definition, counted),
    handleAsChild(request, matched, trace, from) {
      const { asksLimits } = from
      const byDefault = from.byDefault ? from.name : ''
      const behind = behindListenPath(request, matched)
      return serve(request, { matched, behind, stripped: from, byDefault, asksLimits }, trace)
    },
    release() {
      for (const release of releases.splice(0)) release()
    },
  }
}

/** Where a request stands when its chain begins. */
interface Arrival {
  readonly matched: number
  /** Path behind the listen path, with a leading slash. */
  readonly behind: string
  /** What is left when the version's name is taken off. */
  readonly stripped: Stripped | undefined
  /** Name of the version that serves a request that did not name it; empty: it did, or there are none. */
  readonly byDefault: string
  readonly asksLimits: boolean
}

function behindListenPath(request: GatewayRequest, matched: number): string {
  const rest = matched === 0 ? request.path : request.path.slice(matched)
  return rest.charCodeAt(0) === 0x2f ? rest : `/${rest}`
}

/** The path behind a listen path that stays: without the slash that was put before it, where the client sent none. */
function bare(path: string, request: GatewayRequest, matched: number): string {
  return request.path.charCodeAt(matched) === 0x2f ? path : path.slice(1)
}
