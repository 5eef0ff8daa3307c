/** The form of quotas in the log: a JSON list of key, count and end of period in turn; 0 for a period without an end. */
import type { QuotaState } from '@turnpike/core/ports'

/** Some quotas with the keys of their counters. */
export type QuotaBatch = readonly (readonly [key: string, state: QuotaState])[]

/** Quotas of one batch: packing them takes about a millisecond. */
const batchSize = 1000

/** Splits quotas into batches. */
export function* batchesOf(quotas: Iterable<readonly [string, QuotaState]>): Generator<QuotaBatch> {
  let batch: (readonly [string, QuotaState])[] = []
  for (const quota of quotas) {
    batch.push(quota)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

export function packBatch(batch: QuotaBatch): Uint8Array {
  const values: (string | number)[] = []
  for (const [key, { used, renewsAt }] of batch) values.push(key, used, renewsAt ?? 0)
  return Buffer.from(JSON.stringify(values))
}

/** Calls `restore` for each quota in order. */
export function unpackBatch(blob: Uint8Array, restore: (key: string, state: QuotaState) => void): void {
  const values = JSON.parse(new TextDecoder().decode(blob)) as (string | number)[]
  for (let i = 0; i + 2 < values.length; i += 3) {
    const renewsAt = Number(values[i + 2])
    restore(String(values[i]), { used: Number(values[i + 1]), renewsAt: renewsAt === 0 ? undefined : renewsAt })
  }
}
