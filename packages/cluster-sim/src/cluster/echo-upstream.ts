/** An upstream without a network: answers at once and tells what it was asked, so that a mix of two configurations shows. */
import { headerOf, type Upstream, type UpstreamResponse } from '@turnpike/core'

/** Header of the answer: the path that was asked for. */
export const askedPathHeader = 'x-asked-path'
/** Header of the request and of the answer: which configuration the header rules were of. */
export const configHeader = 'x-config'

export function makeEchoUpstream(): Upstream {
  return {
    connect: () => ({
      send({ path, headers }) {
        const answer: UpstreamResponse = {
          kind: 'answer',
          status: 200,
          headers: [askedPathHeader, path, configHeader, headerOf(headers, configHeader) ?? ''],
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
