/** Buckets of the default limiter in a `CounterTable`: there is one per key, so they are kept small. */
import type { Millis } from '../ports/clock.ts'
import type { CounterPlaces } from '../ports/store.ts'
import { decideRate, rateEndsAt } from '../rate-limit/decide.ts'
import { freshBucket, type LocalBucket } from '../rate-limit/local-bucket.ts'
import type { RateLimit, RateTaken } from '../rate-limit/rate-limit.ts'
import { noTicket } from '../session/names/counter-ticket.ts'
import { CounterTable } from './counter-table.ts'
import type { Sweepable } from './sweep.ts'

const startedAt = 0
const used = 1
const windowMs = 2
const numbers = 3

export class BucketTable implements Sweepable {
  private readonly table: CounterTable
  private readonly keptAfterEndMs: Millis
  private sweptTo = 0
  // The bucket that is being decided on: filled from the table and written back, so that no request makes one.
  private readonly bucket: LocalBucket = freshBucket()

  constructor(seed: number, keptAfterEndMs: Millis) {
    this.table = new CounterTable(numbers, seed)
    this.keptAfterEndMs = keptAfterEndMs
  }

  take(
    name: string,
    limit: RateLimit,
    amount: number,
    now: Millis,
    places?: CounterPlaces,
    ticket = noTicket,
  ): RateTaken {
    const { table, bucket } = this
    const near = places === undefined ? -1 : places.rate
    let id = table.findBy(name, near, ticket)
    if (id >= 0) this.load(id)
    else {
      bucket.startedAt = Number.NEGATIVE_INFINITY
      bucket.used = 0
      bucket.windowMs = 0
    }
    const taken = decideRate(bucket, now, limit, amount)
    if (amount > 0) {
      if (id < 0) id = table.add(name)
      table.set(id, startedAt, bucket.startedAt)
      table.set(id, used, bucket.used)
      table.set(id, windowMs, bucket.windowMs)
    }
    if (places !== undefined) {
      if (near !== id) places.rate = id
      table.noteTicket(id, ticket)
    }
    return taken
  }

  /** Begins to fetch a bucket from slow memory. */
  prefetch(places: CounterPlaces): void {
    this.table.fetch(places.rate)
  }

  get size(): number {
    return this.table.size
  }

  remove(name: string): void {
    const id = this.table.find(name)
    if (id >= 0) this.table.remove(id)
  }

  sweepSlice(entries: number, now: Millis): boolean {
    const { table } = this
    const end = Math.min(this.sweptTo + entries, table.idsEnd)
    for (let id = this.sweptTo; id < end; id++) {
      if (!table.isUsed(id)) continue
      this.load(id)
      if (rateEndsAt(this.bucket) + this.keptAfterEndMs <= now) table.remove(id)
    }
    const isDone = end >= table.idsEnd
    this.sweptTo = isDone ? 0 : end
    return isDone
  }

  private load(id: number): void {
    const { table, bucket } = this
    bucket.startedAt = table.get(id, startedAt)
    bucket.used = table.get(id, used)
    bucket.windowMs = table.get(id, windowMs)
  }
}
