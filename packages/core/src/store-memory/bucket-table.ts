/** Buckets of the default limiter in a `CounterTable`: there is one per key, so they are kept small. */
import type { Millis } from '../ports/clock.ts'
import type { RateLimit, RateTaken } from '../ports/rate-limit.ts'
import type { CounterPlaces } from '../ports/store.ts'
import { decideRate } from '../rate-limit/decide-rate.ts'
import { freshBucket, type LocalBucket } from '../rate-limit/local-bucket.ts'
import { bucketUpdated, localRateName } from '../session/names/counter-names.ts'
import { namingOfTicket } from '../session/names/counter-ticket.ts'
import { CounterTable, type CounterTableOptions } from './counter-table.ts'
import { bucketColumn, updatedColumn } from './key-rows.ts'

const startedAt = 0
const used = 1
const windowMs = 2

export class BucketTable extends CounterTable {
  // The bucket that is being decided on: filled from the table and written back, so that no request makes one.
  private readonly bucket: LocalBucket = freshBucket()

  constructor(options: CounterTableOptions) {
    super(bucketColumn, options)
  }

  take(
    name: string,
    limit: RateLimit,
    amount: number,
    now: Millis,
    places?: CounterPlaces,
    ticket?: number,
  ): RateTaken {
    const { bucket } = this
    const isThere = this.seek(name, places, ticket)
    if (isThere) this.load()
    else {
      bucket.startedAt = Number.NEGATIVE_INFINITY
      bucket.used = 0
      bucket.windowMs = 0
    }
    const taken = decideRate(bucket, now, limit, amount)
    if (amount > 0) {
      this.claim(name, isThere, now, places, ticket)
      this.save()
    }
    return taken
  }

  remove(name: string): void {
    if (this.seek(name)) this.forget()
  }

  protected nameIn(row: number, ticket: number): string {
    const { names } = namingOfTicket(ticket)
    return localRateName(names.rate(this.keyRows.nameOf(row), ''), this.updatedIn(row, ticket))
  }

  protected isNamed(name: string, row: number, ticket: number): boolean {
    const { ratePrefix: prefix, isTold } = namingOfTicket(ticket).names
    const end = localRateName('', this.updatedIn(row, ticket))
    if (!isTold || !name.startsWith(prefix) || !name.endsWith(end)) return false
    return this.keyRows.isNamed(row, name.slice(prefix.length, -end.length))
  }

  protected isOver(now: Millis): boolean {
    return this.get(startedAt) + this.get(windowMs) + this.keptAfterEndMs <= now
  }

  protected nearOf(places: CounterPlaces): number {
    return places.rate
  }

  protected noteNear(places: CounterPlaces, id: number): void {
    places.rate = id
  }

  private updatedIn(row: number, ticket: number): string {
    const keyUpdated = String(this.keyRows.get(row, updatedColumn))
    return bucketUpdated(keyUpdated, namingOfTicket(ticket).policiesUpdated)
  }

  private load(): void {
    const { bucket } = this
    bucket.startedAt = this.get(startedAt)
    bucket.used = this.get(used)
    bucket.windowMs = this.get(windowMs)
  }

  private save(): void {
    const { bucket } = this
    this.set(startedAt, bucket.startedAt)
    this.set(used, bucket.used)
    this.set(windowMs, bucket.windowMs)
  }
}
