/**
 * Writes analytics records to MongoDB with the official driver. The driver is large and rarely needed, so users install
 * it themselves. Times are dates. `expireAt` is the expiry date of a record; to delete expired records, the operator
 * creates a TTL index on that field, because the gateway does not create indexes. Source:
 * docs/reference/analytics.md#record-expiry.
 */
import { type AnalyticsSink, toWireRecord } from '@turnpike/core/observability'
import type { AnalyticsRecord } from '@turnpike/core/ports'
import { localUtcOffset } from '../records-jsonl/local-utc-offset.ts'

export interface MongoOptions {
  /** `mongodb://…`, optionally with the database. It contains a password and is never logged. */
  readonly url: string
  /** Default: the database of the URL. */
  readonly database?: string
  /** Default: `analytics`. */
  readonly collection?: string
}

/** The used part of the driver. */
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

/** Loads the driver. Rejects with installation instructions if it is not installed. */
export async function loadMongoDriver(name = 'mongodb'): Promise<MongoDriver> {
  try {
    return (await import(name)) as MongoDriver
  } catch (cause) {
    throw new Error('records in MongoDB need the package "mongodb" (6 or later): npm install mongodb', { cause })
  }
}

/**
 * Makes a sink that connects at the first batch and reconnects automatically. Batches are lost while the server is
 * unreachable. `serverWaitMs`: milliseconds that a batch waits for a server.
 */
export function makeMongoSink(options: MongoOptions, { MongoClient }: MongoDriver, serverWaitMs = 5000): AnalyticsSink {
  const client = new MongoClient(options.url, { serverSelectionTimeoutMS: serverWaitMs })
  const database = options.database === '' ? undefined : options.database
  const collection = client.db(database).collection(options.collection || 'analytics')
  return {
    name: 'mongodb',
    async write(records) {
      // Unordered, so that a rejected document does not prevent the insertion of the others.
      await collection.insertMany(records.map(documentOf), { ordered: false })
    },
    close: () => client.close(),
  } satisfies AnalyticsSink
}

function documentOf(record: AnalyticsRecord): object {
  const { ExpireAt: expireAt, ...fields } = toWireRecord(record, (at) => new Date(at), localUtcOffset)
  return { ...fields, expireAt }
}
