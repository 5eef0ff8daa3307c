import { frontEndSuite } from '@turnpike/testkit/suites/front-end-suite'
import { makeHttp1FrontEnd } from './front-end-http1.ts'

const traits = {
  http10: true,
  joinsRequestLines: true,
  pipelinesLater: true,
  trustsChunks: true,
  trailers: true,
  setsHeaderTimeout: true,
}

frontEndSuite('http1', { make: makeHttp1FrontEnd, traits })

// HTTP/2 on the port must not change how HTTP/1.1 is served.
frontEndSuite('http1 with HTTP/2', {
  make: (options) => makeHttp1FrontEnd({ ...options, http2: true }),
  traits: { ...traits, http2: true },
})
