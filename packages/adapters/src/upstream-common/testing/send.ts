/** A plain request for tests, with other values laid over it. */
import type { UpstreamAnswer, UpstreamFault, UpstreamLink, UpstreamRequest } from '@turnpike/core'

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
