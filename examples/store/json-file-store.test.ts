/** The store of the example does what every store must do. A store of your own is tested in the same way. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeVirtualClock } from '@turnpike/testkit'
import { storeSuite } from '@turnpike/testkit/suites/store-suite'
// @ts-expect-error An example in plain JavaScript.
import { openJsonFileStore } from './json-file-store.js'

storeSuite('keys in a JSON file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-json-file-'))
  const clock = makeVirtualClock()
  const store = await openJsonFileStore(join(folder, 'keys.json'), clock)
  return {
    store,
    pass: (ms) => clock.advance(ms),
    async cleanup() {
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
})
