import { describe, expect, it } from 'vitest'
import { loadMongoDriver, makeMongoSink } from './records-mongodb.ts'

describe('records in MongoDB', () => {
  it('reject with installation instructions if the driver is missing', async () => {
    await expect(loadMongoDriver('a-driver-that-is-not-there')).rejects.toThrow(/npm install mongodb/)
  })

  it('reject while no server is reachable', async () => {
    const sink = makeMongoSink(
      { url: 'mongodb://127.0.0.1:9/turnpike?serverSelectionTimeoutMS=50' },
      await loadMongoDriver(),
      50,
    )
    await expect(sink.write([])).rejects.toThrow()
    await sink.close()
  })

  it('are documents with dates, and with expireAt for a TTL index', async () => {
    const inserted: Record<string, unknown>[] = []
    class MongoClient {
      db(name?: string) {
        return {
          collection: (collection: string) => ({
            insertMany: (documents: readonly object[]) => {
              inserted.push({ name, collection }, ...(documents as Record<string, unknown>[]))
              return Promise.resolve()
            },
          }),
        }
      }
      close() {
        return Promise.resolve()
      }
    }
    const sink = makeMongoSink({ url: 'mongodb://db.test', database: 'd', collection: 'c' }, { MongoClient })
    const noBytes = new Uint8Array(0)
    const record = { at: 1000, expireAt: 61_000, path: '/x', rawRequest: noBytes, rawResponse: noBytes, tags: [] }
    await sink.write([record as unknown as Parameters<typeof sink.write>[0][number]])
    expect(inserted).toMatchObject([
      { name: 'd', collection: 'c' },
      { Path: '/x', TimeStamp: new Date(1000), expireAt: new Date(61_000) },
    ])
    expect(inserted[1]).not.toHaveProperty('ExpireAt')
  })
})
