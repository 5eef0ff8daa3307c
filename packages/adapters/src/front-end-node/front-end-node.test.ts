import { frontEndSuite } from '@turnpike/testkit/suites/front-end-suite'
import { makeNodeFrontEnd } from './front-end-node.ts'

frontEndSuite('node', {
  make: makeNodeFrontEnd,
  traits: {
    http10: true,
    joinsRequestLines: true,
    pipelinesLater: true,
    trustsChunks: true,
    trailers: true,
    setsHeaderTimeout: true,
  },
})

// HTTP/2 on the port must not change how HTTP/1.1 is served.
frontEndSuite('node with HTTP/2', {
  make: (options) => makeNodeFrontEnd({ ...options, http2: true }),
  traits: {
    http10: true,
    joinsRequestLines: true,
    pipelinesLater: true,
    trustsChunks: true,
    trailers: true,
    setsHeaderTimeout: true,
    http2: true,
  },
})
