import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeVirtualClock } from '@turnpike/testkit'
import { storeSuite } from '@turnpike/testkit/suites/store-suite'
import { makeLmdbStore } from './store-lmdb.ts'

storeSuite('lmdb', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-lmdb-'))
  const clock = makeVirtualClock()
  const store = await makeLmdbStore({ path: join(folder, 'data'), clock })
  return {
    store,
    pass: (ms) => clock.advance(ms),
    // A copy of the files simulates a killed process.
    async reopen() {
      cpSync(join(folder, 'data'), join(folder, 'crashed'), { recursive: true })
      return makeLmdbStore({ path: join(folder, 'crashed'), clock })
    },
    async cleanup() {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
})
