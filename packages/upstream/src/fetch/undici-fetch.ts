/**
 * Fetches documents by URL with undici. Time, bytes and redirects are limited, because the servers are not trusted. A
 * redirect from https to http is not followed.
 */
import type { HeaderPairs } from '@turnpike/core/http'
import type { CallTracer, Fetch, FetchResponse } from '@turnpike/core/ports'
import { Agent, type Dispatcher, request } from 'undici'
import { publicConnector } from '../shared/public-connector.ts'

export interface UndiciFetchOptions {
  /** Milliseconds for the complete document, redirects included. Default: 5,000. */
  readonly timeoutMs?: number
  /** Maximum bytes of the document. Default: 1 MiB. */
  readonly maxBytes?: number
  /** Connect to public addresses only, also after redirects. Default: false. */
  readonly publicOnly?: boolean
}

export interface UndiciFetch extends Fetch {
  /** Closes all connections. */
  close(): Promise<void>
}

const maxRedirects = 3

export function makeUndiciFetch(options: UndiciFetchOptions = {}): UndiciFetch {
  const { timeoutMs = 5_000, maxBytes = 1024 * 1024, publicOnly = false } = options
  // Agents are created on first use, because most gateways fetch nothing.
  const agents = new Map<boolean, Agent>()
  const agentFor = (insecure: boolean): Agent => {
    const connect = { rejectUnauthorized: !insecure }
    const agent =
      agents.get(insecure) ??
      new Agent({ connect: publicOnly ? publicConnector(connect) : connect, keepAliveTimeout: 1_000 })
    agents.set(insecure, agent)
    return agent
  }
  return {
    async get(url, { insecure = false, timeoutMs: ownTimeoutMs = timeoutMs, caller } = {}) {
      const start = new URL(url)
      const signal = AbortSignal.timeout(ownTimeoutMs)
      return withSpan(caller, 'GET', start, (trace) =>
        getDocument(start, { dispatcher: agentFor(insecure), signal, maxBytes, trace }),
      )
    },
    async postForm(url, form, { insecure = false, authorization, timeoutMs: ownTimeoutMs = timeoutMs, caller } = {}) {
      const to = httpUrl(new URL(url))
      return withSpan(caller, 'POST', to, async (trace) => {
        const { statusCode, body } = await request(to, {
          method: 'POST',
          dispatcher: agentFor(insecure),
          signal: AbortSignal.timeout(ownTimeoutMs),
          headers: {
            ...trace,
            accept: 'application/json',
            'content-type': 'application/x-www-form-urlencoded',
            ...(authorization === undefined ? {} : { authorization }),
          },
          body: form,
        })
        return { status: statusCode, body: await readWhole(body, maxBytes) }
      })
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}

type TraceHeaders = Readonly<Record<string, string>>

/** Reports the call to the span of the request that needs it. Redirects belong to the span of the first call. */
async function withSpan(
  caller: CallTracer | undefined,
  method: string,
  { origin, host, pathname: path }: URL,
  send: (trace: TraceHeaders) => Promise<FetchResponse>,
): Promise<FetchResponse> {
  if (caller === undefined) return send({})
  const pairs: HeaderPairs = []
  const call = caller.startCall({ method, origin, host, path }, pairs)
  const trace = Object.fromEntries(pairs.flatMap((name, i) => (i % 2 === 0 ? [[name, pairs[i + 1] as string]] : [])))
  try {
    const response = await send(trace)
    call?.end(response.status, undefined)
    return response
  } catch (cause) {
    call?.end(0, cause instanceof Error ? cause.name : 'Error')
    throw cause
  }
}

interface DocumentRequest {
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
  readonly maxBytes: number
  readonly trace: TraceHeaders
}

async function getDocument(
  start: URL,
  { dispatcher, signal, maxBytes, trace }: DocumentRequest,
): Promise<FetchResponse> {
  let url = start
  for (let redirects = 0; ; redirects++) {
    const { statusCode, headers, body } = await request(httpUrl(url), {
      dispatcher,
      signal,
      headers: { ...trace, accept: 'application/json, */*;q=0.5' },
    })
    const location = headers['location']
    if (statusCode < 300 || statusCode > 399 || typeof location !== 'string') {
      return { status: statusCode, body: await readWhole(body, maxBytes) }
    }
    await body.dump()
    if (redirects === maxRedirects) throw new Error('too many redirects')
    const next = new URL(location, url)
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      throw new Error('a redirect from https to http is not followed')
    url = next
  }
}

function httpUrl(url: URL): URL {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`cannot fetch ${url.protocol} documents`)
  return url
}

async function readWhole(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length
    // Throwing out of the loop destroys the body and its connection.
    if (size > maxBytes) throw new Error(`the document is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
