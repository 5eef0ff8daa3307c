/** Sends OTLP requests over HTTP. */
import { Agent, request } from 'undici'
import { reasonOf, type ServiceTls, tlsOptions } from '../service-connection/service-connection.ts'

export interface OtlpSenderOptions {
  /** URL without the path of a signal. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** Limit for the connection and for the response, each. */
  readonly timeoutMs: number
  readonly tls?: ServiceTls | undefined
}

export type Signal = 'traces' | 'metrics'

export type SendResult =
  | { readonly kind: 'sent' }
  /** `mayRetry`: the same request can succeed later. */
  | { readonly kind: 'failed'; readonly reason: string; readonly mayRetry: boolean; readonly retryAfterMs?: number }

export interface OtlpSender {
  /** Never rejects. */
  send(signal: Signal, json: string | Uint8Array): Promise<SendResult>
  close(): Promise<void>
}

/** Statuses of OTLP/HTTP after which a client may send the same data again. */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504])

const maxRetryAfterMs = 30_000
/** Bytes of a response that are read for the log. */
const maxResponseBytes = 64 * 1024

export function makeOtlpSender({ endpoint, headers, timeoutMs, tls }: OtlpSenderOptions): OtlpSender {
  const agent = new Agent({
    connections: 2,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs, ...(tls === undefined ? {} : tlsOptions(tls)) },
  })
  return {
    async send(signal, json) {
      try {
        const response = await request(urlOf(endpoint, signal), {
          method: 'POST',
          dispatcher: agent,
          // Covers a server that sends its response slowly.
          signal: AbortSignal.timeout(3 * timeoutMs),
          headers: { ...headers, 'content-type': 'application/json' },
          body: json,
        })
        const { statusCode } = response
        const text = await readText(response.body)
        if (statusCode < 300) return partialFailure(text) ?? { kind: 'sent' }
        const reason = `status ${statusCode}${text === '' ? '' : `: ${text.slice(0, 200)}`}`
        const retryAfterMs = retryAfterOf(response.headers['retry-after'])
        return {
          ...{ kind: 'failed', reason, mayRetry: retryable.has(statusCode) },
          ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        }
      } catch (cause) {
        return { kind: 'failed', reason: reasonOf(cause), mayRetry: true }
      }
    },
    close: () => agent.destroy(),
  }
}

/** A path of the endpoint is a prefix. An endpoint that already names the signal stays as it is. */
function urlOf(endpoint: string, signal: Signal): string {
  const base = endpoint.replace(/(?<!\/)\/+$/, '').replace(/\/v1\/(?:traces|metrics)$/, '')
  return `${base}/v1/${signal}`
}

/** A collector can accept a request and still reject some of its items. */
function partialFailure(text: string): SendResult | undefined {
  if (!text.includes('partialSuccess')) return undefined
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: Record<string, unknown> }
    const rejected = Number(partialSuccess?.['rejectedSpans'] ?? partialSuccess?.['rejectedDataPoints'] ?? 0)
    if (!(rejected > 0)) return undefined
    const reason = `the collector rejected ${rejected}: ${String(partialSuccess?.['errorMessage'] ?? '')}`
    return { kind: 'failed', reason, mayRetry: false }
  } catch {
    return undefined
  }
}

function retryAfterOf(value: string | string[] | undefined): number | undefined {
  const seconds = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined
  return seconds === undefined ? undefined : Math.min(seconds * 1000, maxRetryAfterMs)
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > maxResponseBytes) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
