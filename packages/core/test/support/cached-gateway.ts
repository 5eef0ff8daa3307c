/** A gateway with an API in `cache_mode: "rfc9111"`, and an upstream whose responses a test sets. */
import type { EngineOptions } from '../../src/engine/engine-options.ts'
import { collectResponse } from '../../src/engine/inject.ts'
import { type HeaderPairs, headerOf } from '../../src/http/headers.ts'
import type { UpstreamError, UpstreamRequest, UpstreamResponse } from '../../src/ports/upstream.ts'
import { definitionOf, makeTestEngine, type TestEngine } from './test-engine.ts'

/** The response of the upstream: a status, a body (default: `hit` and its number), headers by name; or a failure. */
export type Reply = {
  readonly status?: number
  readonly body?: UpstreamResponse['body']
  readonly failure?: 'refused'
} & Readonly<Record<string, unknown>>

export interface CachedGateway {
  readonly engine: TestEngine
  /** Sets the next responses of the upstream. */
  play(next: Reply): void
  sendRequest(
    headers?: Record<string, string>,
    method?: string,
    url?: string,
  ): Promise<{ status: number; text: string; headers: Record<string, string>; age: string | undefined }>
  /** A header of the last request to the upstream. */
  sentHeader(name: string): string | undefined
}

/** `definition` and `cacheOptions` override the fields of the API, and `options` those of the engine. */
export async function makeCachedGateway(
  reply: Reply | ((request: UpstreamRequest) => Reply | Promise<Reply>),
  definition: object = {},
  cacheOptions: object = {},
  options: Partial<EngineOptions> = {},
): Promise<CachedGateway> {
  let hit = 0
  let script = typeof reply === 'function' ? reply : () => reply
  const engine = await makeTestEngine({
    engine: options,
    definitions: [
      definitionOf('c', {
        cache_mode: 'rfc9111',
        cache_options: { enable_cache: true, ...cacheOptions },
        ...definition,
      }),
    ],
    upstream: async (request): Promise<UpstreamResponse | UpstreamError> => {
      const {
        status = 200,
        failure,
        body = new TextEncoder().encode(`hit ${hit + 1}`),
        ...headers
      } = await script(request)
      if (failure !== undefined) return { kind: 'error', reason: failure, cause: undefined }
      if (status !== 304) hit += 1
      const pairs: HeaderPairs = Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
      return {
        kind: 'response',
        status,
        headers: pairs,
        body: status === 304 ? undefined : body,
        bodyLength: undefined,
      }
    },
  })
  return {
    engine,
    play(next) {
      script = () => next
    },
    async sendRequest(headers = {}, method = 'GET', url = '/c/x') {
      const response = await collectResponse(await engine.send(method, url, headers))
      return {
        status: response.status,
        text: response.text(),
        headers: response.headers as Record<string, string>,
        age: response.headers['age'],
      }
    },
    sentHeader: (name) => headerOf(engine.upstreamRequests.at(-1)?.headers ?? [], name),
  }
}
