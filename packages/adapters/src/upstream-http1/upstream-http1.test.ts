import { startEchoUpstream } from '@turnpike/echo-upstream'
import { connectionPoolCases, upstreamSuite } from '@turnpike/testkit/suites/upstream-suite'
import { makeHttp1Upstream } from '@turnpike/upstream-http1'
import { systemClock } from '../clock-system/clock-system.ts'

upstreamSuite('http1', { make: () => makeHttp1Upstream({ clock: systemClock }), startEcho: startEchoUpstream })
connectionPoolCases((options) => makeHttp1Upstream({ ...options, clock: systemClock }), startEchoUpstream)
