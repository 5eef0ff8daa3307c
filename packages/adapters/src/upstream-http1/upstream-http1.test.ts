import { upstreamSuite } from '@turnpike/testkit/suites/upstream-suite'
import { connectionCases } from '../upstream-common/testing/connection-cases.ts'
import { makeHttp1Upstream } from './upstream-http1.ts'

upstreamSuite('http1', () => makeHttp1Upstream())
connectionCases((options) => makeHttp1Upstream(options))
