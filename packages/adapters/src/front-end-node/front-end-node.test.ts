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

// HTTP/1.1 beside HTTP/2 on one port is HTTP/1.1 as ever.
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
