/** Sending and reading, as short as the cases of the upstream suite want it. */
import {
  collect,
  type UpstreamAnswer,
  type UpstreamFault,
  type UpstreamLink,
  type UpstreamRequest,
} from '@turnpike/core'

/** Sends a GET for `/`, but for what is given otherwise. */
export function send(
  link: UpstreamLink,
  request: Partial<UpstreamRequest> = {},
): Promise<UpstreamAnswer | UpstreamFault> {
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

/** The answer; rejects on a fault. */
export async function answerOf(link: UpstreamLink, request: Partial<UpstreamRequest> = {}): Promise<UpstreamAnswer> {
  const result = await send(link, request)
  if (result.kind === 'answer') return result
  throw new Error(`no answer but ${result.reason}`, { cause: result.cause })
}

/** What the echo upstream was told. */
export async function echoed(
  link: UpstreamLink,
  request: Partial<UpstreamRequest>,
): Promise<{ url: string; headers: Record<string, string> }> {
  return JSON.parse(await textOf(await answerOf(link, request)))
}

/** The whole body. */
export async function bytesOf({ body }: UpstreamAnswer): Promise<Uint8Array> {
  if (body === undefined || body instanceof Uint8Array) return body ?? new Uint8Array()
  return collect(body)
}

/** The whole body as text. */
export async function textOf(answer: UpstreamAnswer): Promise<string> {
  return Buffer.from(await bytesOf(answer)).toString()
}
