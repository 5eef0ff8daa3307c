import { upstreamSuite } from '@turnpike/testkit/suites/upstream-suite'
import { makeUndiciUpstream } from './upstream-undici.ts'

upstreamSuite('undici', () => makeUndiciUpstream())
