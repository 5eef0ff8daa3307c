import { frontEndSuite } from '@turnpike/testkit/suites/front-end-suite'
import { makeUwsFrontEnd } from './front-end-uws.ts'

frontEndSuite('uws', {
  make: makeUwsFrontEnd,
  traits: {
    http10: false,
    joinsRequestLines: false,
    pipelinesLater: false,
    trustsChunks: false,
    setsHeaderTimeout: false,
  },
})
