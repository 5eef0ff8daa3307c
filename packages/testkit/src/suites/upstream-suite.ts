/**
 * What every adapter of the Upstream port must do, shown against real servers: the echo upstream where politeness is
 * enough, `upstream/wire-server.ts` where it is not.
 */
import type { Upstream } from '@turnpike/core'
import { describe } from 'vitest'
import { answerCases } from './upstream/answer-cases.ts'
import { cancelCases } from './upstream/cancel-cases.ts'
import { connectionCases } from './upstream/connection-cases.ts'
import { faultCases } from './upstream/fault-cases.ts'
import { largeBodyCases } from './upstream/large-body-cases.ts'
import { requestCases } from './upstream/request-cases.ts'
import { useUpstream } from './upstream/setup.ts'
import { trailerCases, type UpstreamTraits } from './upstream/trailer-cases.ts'
import { unpackCases } from './upstream/unpack-cases.ts'

export { send } from './upstream/talk.ts'
export type { UpstreamTraits } from './upstream/trailer-cases.ts'

/** Runs the suite; `make` gives a fresh adapter for every case, and the suite closes it. */
export function upstreamSuite(name: string, make: () => Upstream, traits: UpstreamTraits = {}): void {
  describe(`${name}: the upstream port`, () => {
    const setup = useUpstream(make)
    answerCases(setup)
    requestCases(setup)
    largeBodyCases(setup)
    faultCases(setup)
    cancelCases(setup)
    connectionCases(setup)
    unpackCases(setup)
    trailerCases(setup, traits)
  })
}
