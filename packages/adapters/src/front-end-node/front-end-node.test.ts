import { frontEndSuite } from '@turnpike/testkit/suites/front-end-suite'
import { makeNodeFrontEnd } from './front-end-node.ts'

frontEndSuite('node', {
  make: makeNodeFrontEnd,
  traits: { http10: true, joinsRequestLines: true, pipelinesLater: true, trustsChunks: true, setsHeaderTimeout: true },
})
