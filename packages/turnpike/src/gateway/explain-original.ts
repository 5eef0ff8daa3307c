/** Explains a request that the dashboard watched, without its body. A dry run: it counts nothing and calls no upstream. */
import { collectResponse, type Engine, makeInjectedRequest, type OriginalRequest } from '@turnpike/core'
import type { WatchedGateway } from '@turnpike/dashboard-sso'
import { nowMicros } from './now-micros.ts'

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
