/**
 * Mounts a handler of the fetch standard (`Request` in, `Response` out) on a front end: the management API and the
 * dashboard are written that way. Costs some objects a request, which calls of that kind can bear; proxied requests
 * never come through here.
 */
import { type Answer, BodyTooLarge, collect, type GatewayRequest, type Handle, headerOf } from '@turnpike/core'
import { streamOfWeb } from './stream-of-web.ts'

/** A handler of the fetch standard, such as a hono app's `fetch`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>

export interface BridgeOptions {
  /** Bytes of a request's body; over it 413. 10 MiB by default. */
  readonly maxBodyBytes?: number
}

/**
 * Makes a `Handle` of a fetch handler. Request bodies are read whole and bounded before the handler runs, answers
 * stream. The request's `signal` is aborted when the client goes away. What the handler throws becomes a 500.
 */
export function bridge(fetchHandler: FetchHandler, options: BridgeOptions = {}): Handle {
  const limit = options.maxBodyBytes ?? 10 * 1024 * 1024
  return async (request) => {
    const gone = new AbortController()
    request.onAbort(() => gone.abort())
    let body: Uint8Array | undefined
    try {
      if (request.bodyLength !== undefined && request.bodyLength > limit) throw new BodyTooLarge(limit)
      body = request.body === undefined ? undefined : await collect(request.body, limit)
    } catch (error) {
      request.body?.cancel()
      return error instanceof BodyTooLarge ? plain(413, 'Request Entity Too Large\n') : plain(400, 'Bad Request\n')
    }
    const standard = toRequest(request, body, gone.signal)
    if (standard === undefined) return plain(400, 'Bad Request\n')
    return toAnswer(await fetchHandler(standard))
  }
}

/** The request as the fetch standard has it; `undefined` where the standard cannot say it (TRACE, a malformed Host). */
export function toRequest(
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
 * The URL parser takes `%2e%2e` for a step up and would lead to another resource than the client named. Escaped once
 * more, such a segment stays one, and who looks for dots in names finds them there.
 */
function keepEscapedDots(path: string): string {
  return path.replace(/(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi, (segment) => segment.replaceAll('%', '%25'))
}

/** The answer that a front end can write; its body streams. */
export function toAnswer(response: Response): Answer {
  const headers: string[] = []
  for (const [name, value] of response.headers) headers.push(name, value)
  const told = Number(response.headers.get('content-length') ?? Number.NaN)
  const body = response.body === null ? undefined : streamOfWeb(response.body)
  return {
    status: response.status,
    headers,
    body,
    ...(Number.isSafeInteger(told) && body !== undefined ? { bodyLength: told } : {}),
  }
}

function plain(status: number, text: string): Answer {
  return { status, headers: ['content-type', 'text/plain; charset=utf-8'], body: text }
}
