/** An engine for one stage case, and requests to it. */
import { type GatewayRequest, streamOf } from '@turnpike/core/http'
import { definition } from '../subjects/definition.ts'
import type { BenchEngineOptions } from './bench-engine.ts'
import { type BenchEngine, makeBenchEngine, requestFor } from './bench-engine.ts'
import type { StageCase } from './stage-case.ts'

export interface StageEngine extends BenchEngine {
  /** A request of the case; `i` makes its path unique where the case needs that. */
  request(i: number): GatewayRequest
}

export async function makeStageEngine(one: StageCase, more: BenchEngineOptions = {}): Promise<StageEngine> {
  const beside = Object.entries(one.beside ?? {})
  const engine = await makeBenchEngine(
    [['case', one.fields] as const, ...beside].map(([id, fields]) => definition(id, 'http://unused.test', fields)),
    { ...one.engine, ...more },
  )
  await one.prepare?.(engine, 'case')
  const { method = 'GET', path = '/x', freshPaths = false, headers = [], body, clientCertificate } = one.request ?? {}
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body)
  const make = (behind: string): GatewayRequest => {
    const plain = requestFor(`/case${path}${behind}`)
    return {
      ...plain,
      method,
      headers: [...plain.headers, ...headers],
      secure: clientCertificate !== undefined,
      clientCertificate,
      body: bytes === undefined ? undefined : streamOf(bytes),
      bodyLength: bytes?.length ?? 0,
    }
  }
  // A body can be read once, and a fresh path is used once. Otherwise one request object serves all calls.
  const same = bytes === undefined && !freshPaths ? make('') : undefined
  return { ...engine, request: (i) => same ?? make(freshPaths ? String(i) : '') }
}
