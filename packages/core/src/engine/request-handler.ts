/** Routes a request to its API: body limit, path cleaning, host and listen path. */

import { headerOf } from '../http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../http/messages.ts'
import { rejections } from '../http/rejections.ts'
import type { Maybe } from '../lib/maybe.ts'
import type { CompiledApi } from '../pipeline/compile/compiled-api.ts'
import type { RejectionReason } from '../pipeline/contract/rejection-reason.ts'
import { makeTrace, type Trace, type TracedStage } from '../pipeline/contract/stage-trace.ts'
import type { RequestSpan } from '../pipeline/contract/tracing.ts'
import { findRejectionReason } from '../pipeline/shared/find-rejection-reason.ts'
import { withSpan } from '../pipeline/shared/with-span.ts'
import { checkRequestLine } from '../route/check-request-line.ts'
import { cleanPath } from '../route/clean-path.ts'
import type { ListenPathTable } from '../route/listen-path-table.ts'
import type { Services } from './create-services.ts'
import { type NearListenPath, nearestListenPaths } from './nearest-listen-paths.ts'
import type { CurrentSnapshot } from './swap-routing-snapshot.ts'
import { makeUnrouted } from './unrouted.ts'

export interface Explanation {
  readonly response: GatewayResponse
  readonly apiId: string | undefined
  readonly stages: readonly TracedStage[]
  /** Why a stage rejected the request; `undefined` if none did. */
  readonly why: RejectionReason | undefined
  /** The listen paths that resemble the path most; empty if an API has the path. */
  readonly nearest: readonly NearListenPath[]
  /** Replaces secrets of the definition in a text of the response. */
  shown(text: string): string
}

export interface RequestHandler {
  /** `port`: a TCP port that APIs have of their own, or 0 for the gateway's port. */
  handle(request: GatewayRequest, port: number): Maybe<GatewayResponse>
  explain(request: GatewayRequest, dry: boolean, nowMicros: () => number, port: number): Promise<Explanation>
}

type Routes = ListenPathTable<CompiledApi> | undefined

export function makeRequestHandler(services: Services, current: CurrentSnapshot): RequestHandler {
  const { maxBodyBytes, routing } = services.settings
  const unrouted = makeUnrouted(services)

  const routesOf = (port: number): Routes =>
    port === 0 ? current.snapshot?.routes : current.snapshot?.onPorts.get(port)

  const route = (
    request: GatewayRequest,
    routes: Routes,
    trace: Trace | undefined,
    span?: RequestSpan,
  ): Maybe<GatewayResponse> => {
    if (maxBodyBytes > 0 && (request.bodyLength ?? 0) > maxBodyBytes) {
      return unrouted.reject(rejections.bodyTooLarge, request)
    }
    const rejection = checkRequestLine(request.method, request.path)
    if (rejection !== undefined) return unrouted.reject(rejection, request)
    if (!routing.skipUrlCleaning) {
      const clean = cleanPath(request.path)
      if (clean !== undefined) return unrouted.redirect(clean, request)
    }
    const found = findApi(request, routes)
    if (found === undefined) return unrouted.reject(whyNotFound(), request)
    return found.slot.handle(request, found.isById ? 0 : found.matchedLength, trace, span)
  }

  const whyNotFound = () => {
    if (current.snapshot === undefined) return rejections.notLoadedYet
    return current.hasHadApis ? rejections.notFound : rejections.nothingLoaded
  }

  const served = () => current.snapshot?.apis.map(({ definition }) => definition) ?? []

  return {
    handle: makeHandle(services, (request, port, trace, span) => route(request, routesOf(port), trace, span)),
    async explain(request, dry, nowMicros, port) {
      const trace = makeTrace(dry, nowMicros)
      const routes = routesOf(port)
      const found = findApi(request, routes)
      const response = await route(request, routes, trace)
      const api = found?.slot.definition
      const why =
        api === undefined ? undefined : findRejectionReason(trace, api, services.policies(), services.clock.now())
      const nearest = api === undefined ? nearestListenPaths(request.path, served(), port) : []
      return { response, apiId: api?.id, stages: trace.stages, why, nearest, shown: trace.shown }
    },
  }
}

type RouteOn = (
  request: GatewayRequest,
  port: number,
  trace: Trace | undefined,
  span?: RequestSpan,
) => Maybe<GatewayResponse>

/** Chosen once, so that requests of a gateway without dashboard and tracing need no check. */
function makeHandle({ watcher, tracing }: Services, route: RouteOn): RequestHandler['handle'] {
  if (tracing !== undefined) {
    return (request, port) => {
      const spanned = { request, port, isWanted: watcher?.wants() ?? false }
      return withSpan(tracing, tracing.start(request), spanned, (trace, span) => route(request, port, trace, span))
    }
  }
  if (watcher === undefined) return (request, port) => route(request, port, undefined)
  const { wants, nowMicros } = watcher
  return (request, port) =>
    route(request, port, wants() ? makeTrace(false, nowMicros, { request, port, isWanted: true }) : undefined)
}

function findApi({ headers, path }: GatewayRequest, routes: Routes) {
  return routes?.resolve(headerOf(headers, 'host') ?? '', path)
}
