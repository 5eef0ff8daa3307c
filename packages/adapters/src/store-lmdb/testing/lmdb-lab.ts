/** LMDB for the laws: each store in a folder of its own. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreHarness } from '@turnpike/testkit'
import { makeLmdbStore } from '../store-lmdb.ts'

/** In memory where that can be had: thousands of stores are opened, and what a disk does at a sync is no law's matter. */
function makeFolder(): string {
  try {
    return mkdtempSync('/dev/shm/turnpike-laws-')
  } catch {
    return mkdtempSync(join(tmpdir(), 'turnpike-laws-'))
  }
}

export const lmdbLab: StoreHarness = {
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
      // A copy of the files is what a killed process leaves behind. A write that is acknowledged is behind all others of
      // the database.
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
