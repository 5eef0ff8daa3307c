import { frontEndSuite } from '@turnpike/testkit/suites/front-end-suite'
import { test } from 'vitest'
import { makeUwsFrontEnd, uwsAvailable } from './front-end-uws.ts'

// The package has binaries for Node 20 and 22, on which a failure to load it is a failure of this test.
const hasBinary = Number(process.versions.node.split('.')[0]) <= 22
const available = hasBinary ? true : await uwsAvailable()

if (available === true) {
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
} else test.skip(`front end uws, not run: ${available.reason} (use Node 20 or 22)`)
