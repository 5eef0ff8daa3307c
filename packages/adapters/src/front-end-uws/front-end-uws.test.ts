import { frontEndSuite } from '@turnpike/testkit/suites/front-end-suite'
import { test } from 'vitest'
import { makeUwsFrontEnd, missingUwsBinary } from './front-end-uws.ts'

const missing = missingUwsBinary()

if (missing === undefined) {
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
} else test.skip(`front end uws, not run: ${missing} (use Node 20 or 22)`)
