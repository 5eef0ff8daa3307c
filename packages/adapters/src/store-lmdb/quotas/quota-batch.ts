/**
 * The form of quotas in the log: a JSON list of key, count and end of period in turn; 0 for a period without an end. In
 * the logs of several processes the list starts with `null`, and each end is followed by the number of the transaction.
 */
import type { QuotaState } from '@turnpike/core/ports'

/** A quota, and the number of the transaction that changed it if several processes count. */
export interface LoggedQuota extends QuotaState {
  readonly number?: number
}

/** Some quotas with the keys of their counters. All have numbers, or none has. */
export type QuotaBatch = readonly (readonly [key: string, state: LoggedQuota])[]

/** Quotas of one batch: packing them takes about a millisecond. */
const batchSize = 1000

/** Splits quotas into batches. */
export function* batchesOf(quotas: Iterable<readonly [string, LoggedQuota]>): Generator<QuotaBatch> {
  let batch: (readonly [string, LoggedQuota])[] = []
  for (const quota of quotas) {
    batch.push(quota)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

export function packBatch(batch: QuotaBatch): Uint8Array {
  const values: (string | number | null)[] = batch[0]?.[1].number === undefined ? [] : [null]
  for (const [key, { used, renewsAt, number }] of batch) {
    values.push(key, used, renewsAt ?? 0)
    if (number !== undefined) values.push(number)
  }
  return Buffer.from(JSON.stringify(values))
}

/** Calls `restore` for each quota in order. */
export function unpackBatch(blob: Uint8Array, restore: (key: string, state: LoggedQuota) => void): void {
  const values = JSON.parse(new TextDecoder().decode(blob)) as (string | number | null)[]
  const isNumbered = values[0] === null
  const length = isNumbered ? 4 : 3
  for (let i = isNumbered ? 1 : 0; i + length <= values.length; i += length) {
    const renewsAt = Number(values[i + 2])
    const state = { used: Number(values[i + 1]), renewsAt: renewsAt === 0 ? undefined : renewsAt }
    restore(String(values[i]), isNumbered ? { ...state, number: Number(values[i + 3]) } : state)
  }
}
