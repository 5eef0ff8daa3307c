import { systemClock } from '@turnpike/adapters/clock-system'
import { connectionPoolCases, upstreamSuite } from '@turnpike/testkit/suites/upstream-suite'
import { makeHttp1Upstream } from './upstream-http1.ts'

upstreamSuite('http1', () => makeHttp1Upstream({ clock: systemClock }))
connectionPoolCases((options) => makeHttp1Upstream({ ...options, clock: systemClock }))
