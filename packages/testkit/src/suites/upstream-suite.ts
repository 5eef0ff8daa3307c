/**
 * The test suite for adapters of the port `Upstream`. It uses real servers: the echo upstream of the caller for valid
 * responses, and `upstream/wire-server.ts` for malformed and interrupted ones.
 */
import { describe } from 'vitest'
import { cancelCases } from './upstream/cancel-cases.ts'
import { connectionCases } from './upstream/connection-cases.ts'
import { decompressionCases } from './upstream/decompression-cases.ts'
import { largeBodyCases } from './upstream/large-body-cases.ts'
import { networkErrorCases } from './upstream/network-error-cases.ts'
import { requestCases } from './upstream/request-cases.ts'
import { responseCases } from './upstream/response-cases.ts'
import { type UpstreamUnderTest, useUpstream } from './upstream/setup.ts'
import { trailerCases } from './upstream/trailer-cases.ts'

export { connectionPoolCases } from './upstream/pool-cases.ts'
export { send } from './upstream/requests.ts'
export type { EchoServer, UpstreamTraits, UpstreamUnderTest } from './upstream/setup.ts'

/** Declares the suite. */
export function upstreamSuite(name: string, under: UpstreamUnderTest): void {
  describe(`${name}: the upstream port`, () => {
    const setup = useUpstream(under)
    responseCases(setup)
    requestCases(setup)
    largeBodyCases(setup)
    networkErrorCases(setup)
    cancelCases(setup)
    connectionCases(setup)
    decompressionCases(setup)
    trailerCases(setup, under)
  })
}
