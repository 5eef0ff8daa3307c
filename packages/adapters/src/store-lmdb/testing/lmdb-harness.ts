/** LMDB for the property tests: each store has its own folder. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreHarness } from '@turnpike/testkit'
import { makeLmdbStore } from '../store-lmdb.ts'

/** Uses a memory file system if possible, because the tests open thousands of stores and do not test the disk. */
function makeFolder(): string {
  try {
    return mkdtempSync('/dev/shm/turnpike-properties-')
  } catch {
    return mkdtempSync(join(tmpdir(), 'turnpike-properties-'))
  }
}

export const lmdbHarness: StoreHarness = {
  name: 'LMDB',
  isDurable: true,
  async open(clock) {
    const folder = makeFolder()
    const path = join(folder, 'data')
    const store = await makeLmdbStore({ path, clock })
    let copies = 0
    return {
      store,
      async close() {
        await store.close()
        rmSync(folder, { recursive: true, force: true })
      },
      // A copy of the files simulates a killed process. The acknowledged write guarantees that all earlier writes of the
      // database are complete.
      async crashed() {
        await store.records.put('before the end', '')
        await store.settled()
        copies += 1
        const copy = join(folder, `crashed-${copies}`)
        cpSync(path, copy, { recursive: true })
        return makeLmdbStore({ path: copy, clock })
      },
    }
  },
}
