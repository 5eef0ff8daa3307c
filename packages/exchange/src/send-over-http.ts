/** Sends requests over HTTP, with the path and the headers exactly as given. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { type ClientRequest, linesOf, type Send } from './client-messages.ts'
import { type CertificateCheck, exchangeOverHttp, type HttpExchange } from './http-exchange.ts'

export interface SendOverHttpOptions extends CertificateCheck {
  /** Time limit in ms for a request and its complete response. Default 10,000. */
  readonly timeoutMs?: number
  /** Source address. Default: chosen by the system. */
  readonly localAddress?: string
  /** Value of the header `Host`. Default: that of the URL. */
  readonly host?: string
}

/** These headers belong to the connection of a recorded request, not to the request. They are not sent. */
export const connectionHeaders: readonly string[] = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'host',
]
/** The largest decoded body. */
const maxBodyBytes = 64 * 1024 * 1024

/**
 * Sends over HTTP to `base`, for example `http://127.0.0.1:8080`; a path of `base` is put before the path of each
 * request. Dot segments, empty segments and escapes of the path reach the gateway unchanged. Redirects are not followed.
 * Bodies are decoded. Throws a `TypeError` if `base` is not a URL; sending rejects if there is no response in time.
 */
export function sendOverHttp(base: string, settings: SendOverHttpOptions = {}): Send {
  const { timeoutMs = 10_000, host: hostHeader, ...connection } = settings
  const { protocol, hostname, port, host, pathname } = new URL(base)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`${base} is not an http or https URL`)
  const prefix = pathname.replace(/\/$/, '')
  return async ({ method, url, headers, body }) => {
    const sent = ['Host', hostHeader ?? host]
    for (const [name, value] of headers) if (!connectionHeaders.includes(name.toLowerCase())) sent.push(name, value)
    if (hasContentLength({ method, body })) sent.push('Content-Length', String(body?.byteLength ?? 0))
    const request = {
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: prefix + url,
      headers: sent,
    }
    const timeoutMessage = `no response within ${timeoutMs} ms`
    const received = await exchangeOverHttp({ ...connection, request, body, timeoutMs, timeoutMessage })
    const { statusCode: status = 0, rawHeaders } = received.response
    const lines = linesOf(rawHeaders).map(([name, value]) => [name.toLowerCase(), value] as const)
    return { status, headers: lines, body: decoded(received) }
  }
}

const methodsWithoutBody = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']

/** Whether the request is sent with a length: it has a body, or its method expects one. */
export function hasContentLength({ method, body }: Pick<ClientRequest, 'method' | 'body'>): boolean {
  return body !== undefined || !methodsWithoutBody.includes(method)
}

/** The content of the body. A body that is not in its declared encoding stays as it is. */
function decoded({ body, response: { headers } }: HttpExchange): Uint8Array {
  const decode = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync }
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (body.length === 0 || encoding === undefined || !Object.hasOwn(decode, encoding)) return new Uint8Array(body)
  try {
    return new Uint8Array(decode[encoding as keyof typeof decode](body, { maxOutputLength: maxBodyBytes }))
  } catch {
    return new Uint8Array(body)
  }
}
