/** An API with a cache, an upstream that numbers its responses, and bodies that a test writes step by step. */

import { collectResponse } from '../../../src/engine/inject.ts'
import type { ByteSink, ByteStream } from '../../../src/http/byte-stream.ts'
import type { HeaderPairs } from '../../../src/http/headers.ts'
import type { GatewayResponse } from '../../../src/http/messages.ts'
import { utf8Bytes } from '../../../src/lib/text/utf8.ts'
import type { UpstreamError, UpstreamRequest, UpstreamResponse } from '../../../src/ports/upstream.ts'
import { definitionOf, makeTestEngine, type TestEngine, type TestEngineOptions } from '../test-engine.ts'

export const marker = 'x-svc-cached-response'
export const cached = { enable_cache: true, cache_timeout: 60, cache_all_safe_requests: true }

export interface Said {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly cached: boolean
}

/** An upstream that numbers its responses: `hit 1`, `hit 2`, … */
export async function cachingGateway(
  more: object,
  given: Partial<Reply> | ((request: UpstreamRequest) => Partial<Reply>) = {},
  options: TestEngineOptions = {},
) {
  let hit = 0
  const engine = await makeTestEngine({
    definitions: [definitionOf('c', { cache_options: cached, ...more })],
    upstream: (request) => {
      const reply = typeof given === 'function' ? given(request) : given
      return Promise.resolve({
        kind: 'response',
        status: 200,
        headers: ['content-type', 'text/plain'],
        body: bytes(`hit ${++hit}`),
        bodyLength: undefined,
        ...reply,
      } as UpstreamResponse | UpstreamError)
    },
    ...options,
  })
  return {
    engine,
    sendRequest: (method: string, url: string, headers?: Record<string, string>) => read(engine, method, url, headers),
  }
}

export interface Reply {
  kind: 'response' | 'error'
  status: number
  headers: HeaderPairs
  body: Uint8Array | ByteStream | undefined
  bodyLength: number
  reason: string
}

async function read(
  engine: TestEngine,
  method: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<Said> {
  return summaryOf(await engine.send(method, url, headers))
}

export async function summaryOf(response: GatewayResponse): Promise<Said> {
  const { status, text, headers } = await collectResponse(response)
  return { status, text: text(), headers, cached: headers[marker] === '1' }
}

export const bytes = (text: string) => utf8Bytes(text)

/** A body that the test writes step by step. */
export function handFed() {
  const sinks: ByteSink[] = []
  const calls: string[] = []
  const stream: ByteStream = {
    pipe: (to) => void sinks.push(to),
    pause: () => void calls.push('pause'),
    resume: () => void calls.push('resume'),
    cancel: () => void calls.push('cancel'),
  }
  const sink = () => sinks[0] as ByteSink
  return { stream, sink, calls }
}
