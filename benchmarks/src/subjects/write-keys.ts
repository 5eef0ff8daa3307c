/**
 * Writes a data folder with many keys through the store, because creating a million keys over the management API would
 * take longer than the measurements.
 */
import { makeLmdbStore } from '@turnpike/adapters/store-lmdb'
import { parseSession } from '@turnpike/core/session'
import { roomySession } from './roomy-session.ts'

const atOnce = 5000

/** Writes keys `benchk0`, `benchk1`, … for the API, with distinct creation times. */
export async function writeKeys(folder: string, apiId: string, count: number): Promise<void> {
  const { session } = parseSession(roomySession(apiId))
  if (session === undefined) throw new Error('the session of the benchmarks is invalid')
  const store = await makeLmdbStore({ path: folder })
  const firstMade = Date.now() - count
  try {
    for (let from = 0; from < count; from += atOnce) {
      const names = Array.from({ length: Math.min(atOnce, count - from) }, (_, i) => from + i)
      await Promise.all(
        names.map((i) => {
          const made = firstMade + i
          const own = { dateCreated: new Date(made).toISOString(), lastUpdated: String(Math.floor(made / 1000)) }
          return store.sessions.put(`benchk${i}`, { ...session, ...own })
        }),
      )
    }
  } finally {
    await store.close()
  }
}
