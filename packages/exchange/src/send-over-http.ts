/** Sends requests over HTTP, with the path and the headers exactly as given. */
import { type IncomingMessage, request as requestOverHttp } from 'node:http'
import { type RequestOptions as HttpsOptions, request as requestOverTls } from 'node:https'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { type ClientRequest, type ClientResponse, linesOf, type Send } from './exchange.ts'

export interface SendOverHttpOptions {
  /** Time limit in ms for a request and its complete response. Default 10,000. */
  readonly timeoutMs?: number
  /** Source address. Default: chosen by the system. */
  readonly localAddress?: string
  /** Value of the header `Host`. Default: that of the URL. */
  readonly host?: string
  /** Certificates of authorities, in PEM format, that are trusted instead of those of Node. */
  readonly ca?: string
  /** Accepts any certificate. Default false. */
  readonly acceptsAnyCertificate?: boolean
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
  const { timeoutMs = 10_000, localAddress, ca, acceptsAnyCertificate } = settings
  const { protocol, hostname, port, host, pathname } = new URL(base)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`${base} is not an http or https URL`)
  const prefix = pathname.replace(/\/$/, '')
  return async ({ method, url, headers, body }) => {
    const sent = ['Host', settings.host ?? host]
    for (const [name, value] of headers) if (!connectionHeaders.includes(name.toLowerCase())) sent.push(name, value)
    if (hasContentLength({ method, body })) sent.push('Content-Length', String(body?.byteLength ?? 0))
    const options: HttpsOptions = {
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: prefix + url,
      headers: sent,
      ...(localAddress !== undefined && { localAddress }),
      ...(ca !== undefined && { ca }),
      ...(acceptsAnyCertificate === true && { rejectUnauthorized: false }),
    }
    return exchange(options, body, timeoutMs)
  }
}

const methodsWithoutBody = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']

/** Whether the request is sent with a length: it has a body, or its method expects one. */
export function hasContentLength({ method, body }: Pick<ClientRequest, 'method' | 'body'>): boolean {
  return body !== undefined || !methodsWithoutBody.includes(method)
}

/** A kept connection that the gateway closed while the request was sent. The request was not handled. */
class ClosedConnection extends Error {}

async function exchange(
  options: HttpsOptions,
  body: ClientRequest['body'],
  timeoutMs: number,
): Promise<ClientResponse> {
  try {
    return await exchangeOnce(options, body, timeoutMs)
  } catch (cause) {
    if (!(cause instanceof ClosedConnection)) throw cause
    return exchangeOnce({ ...options, agent: false }, body, timeoutMs)
  }
}

function exchangeOnce(options: HttpsOptions, body: ClientRequest['body'], timeoutMs: number): Promise<ClientResponse> {
  return new Promise((resolve, reject) => {
    const send = options.protocol === 'https:' ? requestOverTls : requestOverHttp
    const request = send(options)
    const timer = setTimeout(() => request.destroy(new Error(`no response within ${timeoutMs} ms`)), timeoutMs)
    const fail = (cause: Error) => {
      clearTimeout(timer)
      const isClosed = request.reusedSocket && (cause as NodeJS.ErrnoException).code === 'ECONNRESET'
      reject(isClosed ? new ClosedConnection(cause.message) : cause)
    }
    request.once('error', fail)
    request.once('response', (response) => {
      readBody(response)
        .then((bytes) => {
          clearTimeout(timer)
          const headers = linesOf(response.rawHeaders).map(([name, value]) => [name.toLowerCase(), value] as const)
          resolve({ status: response.statusCode ?? 0, headers, body: decoded(bytes, response) })
        })
        .catch(fail)
    })
    request.end(body)
  })
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** The content of the body. A body that is not in its declared encoding stays as it is. */
function decoded(bytes: Buffer, { headers }: IncomingMessage): Uint8Array {
  const decode = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync }
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (bytes.length === 0 || encoding === undefined || !Object.hasOwn(decode, encoding)) return new Uint8Array(bytes)
  try {
    return new Uint8Array(decode[encoding as keyof typeof decode](bytes, { maxOutputLength: maxBodyBytes }))
  } catch {
    return new Uint8Array(bytes)
  }
}
