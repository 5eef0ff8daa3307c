/**
 * An upstream without a network: it responds at once and echoes the request, so that a mix of two configurations is
 * visible.
 */
import { headerOf } from '@turnpike/core/http'
import type { Upstream, UpstreamResponse } from '@turnpike/core/ports'

/** Response header: the requested path. */
export const requestedPathHeader = 'x-requested-path'
/** Request and response header: the configuration version of the header rules. */
export const configHeader = 'x-config'

export function makeEchoUpstream(): Upstream {
  return {
    connect: () => ({
      send({ path, headers }) {
        const answer: UpstreamResponse = {
          kind: 'response',
          status: 200,
          headers: [requestedPathHeader, path, configHeader, headerOf(headers, configHeader) ?? ''],
          body: undefined,
          bodyLength: 0,
        }
        return Promise.resolve(answer)
      },
      release() {},
    }),
    close: () => Promise.resolve(),
  }
}
