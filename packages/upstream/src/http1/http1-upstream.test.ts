import { connectionPoolCases, upstreamSuite } from '@turnpike/testkit/suites/upstream-suite'
import { realClock } from '../../test/real-clock.ts'
import { startEchoUpstream } from '../echo/echo-upstream.ts'
import { makeHttp1Upstream } from './http1-upstream.ts'

upstreamSuite('http1', { make: () => makeHttp1Upstream({ clock: realClock }), startEcho: startEchoUpstream })
connectionPoolCases((options) => makeHttp1Upstream({ ...options, clock: realClock }), startEchoUpstream)
