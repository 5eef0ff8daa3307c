/** Responses to requests that reach no API: unknown paths, unclean paths, bodies over the gateway's limit. */

import { headerOf } from '../http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../http/messages.ts'
import type { Rejection } from '../http/rejections.ts'
import type { RequestDetails } from '../pipeline/contract/request-watcher.ts'
import type { StageServices } from '../pipeline/contract/stage-services.ts'
import { clientAddressOfRequest } from '../pipeline/shared/client-address.ts'

export interface Unrouted {
  reject(rejection: Rejection, request: GatewayRequest): GatewayResponse
  /** Redirects with 301 to the cleaned path and keeps the query. Source: docs/reference/routing.md#path-cleaning. */
  redirect(path: string, request: GatewayRequest): GatewayResponse
}

export function makeUnrouted(services: StageServices): Unrouted {
  const { records, clock, errors, settings, watcher } = services

  const record = (request: GatewayRequest, status: number, rejection: Rejection | undefined) => {
    if (records.length === 0) return
    const entry = {
      apiId: '',
      apiName: '',
      orgId: '',
      method: request.method,
      path: request.path,
      host: headerOf(request.headers, 'host') ?? '',
      clientAddress: clientAddressOfRequest(request, settings.routing),
      userAgent: headerOf(request.headers, 'user-agent') ?? '',
      status,
      keyLogName: '',
      version: '',
      startedAt: clock.now(),
      totalMs: 0,
      upstreamMs: 0,
      upstreamAddress: '',
      rejection:
        rejection === undefined
          ? undefined
          : { stage: 'route', code: rejection.code, message: rejection.message.trimEnd() },
    }
    if (watcher?.wants()) watcher.watched(entry, detailsOf(request))
    for (const sink of records) sink.record(entry)
  }

  return {
    reject(rejection, request) {
      record(request, rejection.status, rejection)
      return errors.render(rejection, request)
    },
    redirect(path, request) {
      record(request, 301, undefined)
      const location = request.query === '' ? path : `${path}?${request.query}`
      return { status: 301, headers: ['location', location], body: '' }
    },
  }
}

const credentials = new Set(['authorization', 'proxy-authorization', 'cookie'])

/** No API says which headers carry a credential, so only the standard ones are masked here. */
function detailsOf(request: GatewayRequest): RequestDetails {
  const { method, path, query, headers, remoteAddress, secure, body } = request
  const target = query === '' ? path : `${path}?${query}`
  return {
    ...{ target, stages: [], limits: [], responseHeaders: [] },
    requestHeaders: headers.map((text, i) =>
      i % 2 === 1 && credentials.has(headers[i - 1] as string) ? '[masked]' : text,
    ),
    original: { method, target, headers, remoteAddress, secure, port: 0, hasBody: body !== undefined },
    shown: (text) => text,
  }
}
