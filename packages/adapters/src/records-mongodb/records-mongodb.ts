/**
 * Analytics records as documents in MongoDB, through the official driver, which users install beside Turnpike: it is
 * large, and few want it. Times are dates. The date after which a record may go is `expireAt`; an operator who wants
 * it to go makes a TTL index on that field, since the gateway changes no database (spec/config-and-ops.md 4).
 */
import { type AnalyticsRecord, type AnalyticsSink, toWireRecord } from '@turnpike/core'
import { localUtcOffset } from '../records-jsonl/local-utc-offset.ts'

export interface MongoOptions {
  /** `mongodb://…`; may name the database. Secret: never logged. */
  readonly url: string
  /** Default: the one of the URL. */
  readonly database?: string
  /** Default: `analytics`. */
  readonly collection?: string
}

/** The part of the driver that is used. */
export interface MongoDriver {
  readonly MongoClient: new (
    url: string,
    options: { serverSelectionTimeoutMS: number },
  ) => {
    db(name?: string): {
      collection(name: string): {
        insertMany(documents: readonly object[], options: { ordered: boolean }): Promise<unknown>
      }
    }
    close(): Promise<void>
  }
}

/** Loads the driver. Rejects with what to do when it is not installed. */
export async function loadMongoDriver(name = 'mongodb'): Promise<MongoDriver> {
  try {
    return (await import(name)) as MongoDriver
  } catch (cause) {
    throw new Error('records in MongoDB need the package "mongodb" (6 or later): npm install mongodb', { cause })
  }
}

/**
 * Connects with the first batch, and again by itself: an unreachable server loses records, nothing else.
 * `serverWaitMs`: how long a batch waits for a server.
 */
export function makeMongoSink(options: MongoOptions, { MongoClient }: MongoDriver, serverWaitMs = 5000): AnalyticsSink {
  const client = new MongoClient(options.url, { serverSelectionTimeoutMS: serverWaitMs })
  const database = options.database === '' ? undefined : options.database
  const collection = client.db(database).collection(options.collection || 'analytics')
  return {
    name: 'mongodb',
    async write(records) {
      // Unordered: one document that is refused does not keep the others out.
      await collection.insertMany(records.map(documentOf), { ordered: false })
    },
    close: () => client.close(),
  } satisfies AnalyticsSink
}

function documentOf(record: AnalyticsRecord): object {
  const { ExpireAt: expireAt, ...fields } = toWireRecord(record, (at) => new Date(at), localUtcOffset)
  return { ...fields, expireAt }
}
