import { connectionPoolCases, upstreamSuite } from '@turnpike/testkit/suites/upstream-suite'
import { startEchoUpstream } from '../../../turnpike/src/echo-upstream/echo-upstream.ts'
import { realClock } from '../../test/real-clock.ts'
import { makeHttp1Upstream } from './http1-upstream.ts'

upstreamSuite('http1', { make: () => makeHttp1Upstream({ clock: realClock }), startEcho: startEchoUpstream })
connectionPoolCases((options) => makeHttp1Upstream({ ...options, clock: realClock }), startEchoUpstream)
