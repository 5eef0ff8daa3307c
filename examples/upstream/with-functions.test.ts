/** The upstream client of the example does what every one must do. One of your own is tested in the same way. */
import { systemClock } from '@turnpike/adapters/clock-system'
import { upstreamSuite } from '@turnpike/testkit/suites/upstream-suite'
import { makeAnyUpstream } from '@turnpike/upstream/any'
import { startEchoUpstream } from 'turnpike/echo-upstream'
// @ts-expect-error An example in plain JavaScript.
import { withFunctions } from './with-functions.js'

upstreamSuite('functions and HTTP', {
  make: () => withFunctions({}, makeAnyUpstream({ clock: systemClock })),
  startEcho: startEchoUpstream,
})
