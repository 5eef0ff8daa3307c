/** Sends a request through the engine and traces each stage, for `turnpike explain` and POST /svc/explain. */
import { collectResponse, type Engine, makeInjectedRequest } from '@turnpike/core/engine'
import type { GatewayRequest } from '@turnpike/core/http'
import type { OriginalRequest } from '@turnpike/core/pipeline'
import type { WatchedGateway } from '@turnpike/dashboard-sso'
import type { ExplainReport, ExplainRequest } from '@turnpike/mgmt-api'
import { nowMicros } from './now-micros.ts'

/** Maximum number of bytes of the response body in an explanation. */
const maxShownBodyBytes = 4096

/** `ownPort` is the gateway's own TCP port, which the engine calls port 0. */
export async function explain(engine: Engine, request: ExplainRequest, ownPort: number): Promise<ExplainReport> {
  const injected = makeInjectedRequest({
    method: request.method,
    url: request.target,
    headers: request.headers,
    ...(request.body === undefined ? {} : { body: request.body }),
  })
  return explainInjected(engine, injected, request.dry, request.port === ownPort ? 0 : request.port)
}

/** `port`: the TCP port that receives the request. Default: the gateway's. */
export async function explainInjected(
  engine: Engine,
  request: GatewayRequest,
  dry: boolean,
  port = 0,
): Promise<ExplainReport> {
  const { response, apiId, stages, why, nearest, shown } = await engine.explain(request, dry, nowMicros, port)
  const read = await collectResponse(response)
  const body = shown(new TextDecoder().decode(read.bytes)).slice(0, maxShownBodyBytes)
  return {
    ...{ apiId, status: read.status, headers: read.pairs.map(shown), body, stages },
    ...(why === undefined ? {} : { why }),
    ...(apiId === undefined ? { nearest } : {}),
  }
}

/** Explains a request that the dashboard watched, without its body. A dry run: it counts nothing and calls no upstream. */
export async function explainOriginal(
  engine: Engine,
  original: OriginalRequest,
): ReturnType<WatchedGateway['explain']> {
  const { method, target, headers, remoteAddress, secure, port } = original
  const injected = makeInjectedRequest({
    ...{ method, url: target, remoteAddress, secure },
    headers: headers.filter((_, i) => !framing.has((headers[i - (i % 2)] as string).toLowerCase())),
  })
  const { response, stages, why, nearest, shown } = await engine.explain(injected, true, nowMicros, port)
  const { status, pairs } = await collectResponse(response)
  return { status, headers: pairs.map(shown), stages, nearest, why: why?.message }
}

/** Headers that describe the body (RFC 9112, 6). */
const framing = new Set(['content-length', 'transfer-encoding', 'expect'])
