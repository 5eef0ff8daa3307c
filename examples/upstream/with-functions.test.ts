/** The upstream client of the example does what every one must do. One of your own is tested in the same way. */
import { makeAnyUpstream } from '@turnpike/adapters/any-upstream'
import { startEchoUpstream } from '@turnpike/echo-upstream'
import { upstreamSuite } from '@turnpike/testkit/suites/upstream-suite'
// @ts-expect-error An example in plain JavaScript.
import { withFunctions } from './with-functions.js'

upstreamSuite('functions and HTTP', {
  make: () => withFunctions({}, makeAnyUpstream()),
  startEcho: startEchoUpstream,
})
