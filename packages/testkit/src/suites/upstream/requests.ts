/** Short functions of the upstream suite to send requests and read responses. */
import { collect } from '@turnpike/core/http'
import type { UpstreamError, UpstreamLink, UpstreamRequest, UpstreamResponse } from '@turnpike/core/ports'

/** Sends a request. The default is GET `/`; `request` overrides its fields. */
export function send(
  link: UpstreamLink,
  request: Partial<UpstreamRequest> = {},
): Promise<UpstreamResponse | UpstreamError> {
  return link.send({
    method: 'GET',
    path: '/',
    headers: ['host', 'test'],
    body: undefined,
    bodyLength: undefined,
    timeoutMs: 5000,
    unpack: false,
    ...request,
  })
}

/** Sends a request and returns its response. Rejects on a network error. */
export async function responseOf(
  link: UpstreamLink,
  request: Partial<UpstreamRequest> = {},
): Promise<UpstreamResponse> {
  const result = await send(link, request)
  if (result.kind === 'response') return result
  throw new Error(`no response: ${result.reason}`, { cause: result.cause })
}

/** Sends a request to the echo upstream and returns the request as the upstream received it. */
export async function echoed(
  link: UpstreamLink,
  request: Partial<UpstreamRequest>,
): Promise<{ url: string; headers: Record<string, string> }> {
  return JSON.parse(await textOf(await responseOf(link, request)))
}

/** Reads the complete body. */
export async function bytesOf({ body }: UpstreamResponse): Promise<Uint8Array> {
  if (body === undefined || body instanceof Uint8Array) return body ?? new Uint8Array()
  return collect(body)
}

/** Reads the complete body as text. */
export async function textOf(response: UpstreamResponse): Promise<string> {
  return Buffer.from(await bytesOf(response)).toString()
}
