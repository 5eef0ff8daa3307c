/**
 * Runs a handler of the Fetch standard (`Request` in, `Response` out) on a front end. The management API and the dashboard
 * are such handlers. Proxied requests do not use this bridge, because it allocates several objects per request.
 */
import {
  BodyTooLarge,
  collect,
  type GatewayRequest,
  type GatewayResponse,
  headerOf,
  streamOfWeb,
} from '@turnpike/core/http'
import type { Handle } from '@turnpike/core/ports'
import { errorResponses, textResponse } from '../front-end-common/error-responses.ts'

/** A handler of the Fetch standard, such as the `fetch` method of a hono app. `from`: the request of the front end. */
export type FetchHandler = (request: Request, from: GatewayRequest) => Response | Promise<Response>

export interface BridgeOptions {
  /** Maximum bytes of a request body; more is rejected with 413. Default: 10 MiB. */
  readonly maxBodyBytes?: number
  /** The response to a longer body. Default: the text `Request Entity Too Large`. */
  readonly tooLarge?: () => Response
}

/**
 * Converts a fetch handler to a `Handle`. The request body is read completely before the handler runs; the response body
 * is streamed. The request's `signal` is aborted if the client disconnects. If the handler throws, the returned promise
 * rejects.
 */
export function bridge(fetchHandler: FetchHandler, options: BridgeOptions = {}): Handle {
  const limit = options.maxBodyBytes ?? 10 * 1024 * 1024
  return async (request) => {
    const disconnect = new AbortController()
    request.onAbort(() => disconnect.abort())
    let body: Uint8Array | undefined
    try {
      if (request.bodyLength !== undefined && request.bodyLength > limit) throw new BodyTooLarge(limit)
      body = request.body === undefined ? undefined : await collect(request.body, limit)
    } catch (error) {
      request.body?.cancel()
      if (!(error instanceof BodyTooLarge)) return textResponse(errorResponses.badMessage)
      return options.tooLarge === undefined
        ? textResponse(errorResponses.bodyTooLarge)
        : toGatewayResponse(options.tooLarge())
    }
    const fetchRequest = toFetchRequest(request, body, disconnect.signal)
    if (fetchRequest === undefined) return textResponse(errorResponses.badMessage)
    return toGatewayResponse(await fetchHandler(fetchRequest, request))
  }
}

/** Converts a request. Returns `undefined` if `Request` cannot represent it, for example TRACE or a malformed Host. */
export function toFetchRequest(
  request: GatewayRequest,
  body: Uint8Array | undefined,
  signal: AbortSignal,
): Request | undefined {
  const headers = new Headers()
  try {
    for (let i = 0; i < request.headers.length; i += 2) {
      headers.append(request.headers[i] as string, request.headers[i + 1] as string)
    }
    const host = headerOf(request.headers, 'host') || 'localhost'
    const query = request.query === '' ? '' : `?${request.query}`
    const url = `${request.secure ? 'https' : 'http'}://${host}${keepEscapedDots(request.path)}${query}`
    const hasBody = body !== undefined && request.method !== 'GET' && request.method !== 'HEAD'
    return new Request(url, {
      method: request.method,
      headers,
      signal,
      ...(hasBody ? { body: new Uint8Array(body) } : {}),
    })
  } catch {
    return undefined
  }
}

/**
 * The URL parser treats `%2e%2e` as `..` and would select another resource than the client did. Escaping the percent sign
 * again keeps such a segment as it is.
 */
function keepEscapedDots(path: string): string {
  return path.replace(/(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi, (segment) => segment.replaceAll('%', '%25'))
}

/** Converts a response. Its body is streamed. */
export function toGatewayResponse(response: Response): GatewayResponse {
  const headers: string[] = []
  for (const [name, value] of response.headers) headers.push(name, value)
  const contentLength = Number(response.headers.get('content-length') ?? Number.NaN)
  const body = response.body === null ? undefined : streamOfWeb(response.body)
  return {
    status: response.status,
    headers,
    body,
    ...(Number.isSafeInteger(contentLength) && body !== undefined ? { bodyLength: contentLength } : {}),
  }
}
