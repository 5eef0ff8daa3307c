/**
 * Quota counters in a `NumberTable`. Stores that keep quotas elsewhere hear that something changed, and fetch what did
 * as a blob, each counter once however often it was counted meanwhile.
 */
import type { Millis } from '../ports/clock.ts'
import type { CounterPlaces } from '../ports/store.ts'
import { decideQuota, freshQuota, isQuotaOver, type QuotaCounter } from '../quota/decide.ts'
import type { QuotaLimit, QuotaSpent, QuotaState } from '../quota/quota.ts'
import { NumberTable } from './number-table.ts'
import { QuotaPacker, unpackQuotas } from './quota-blob.ts'
import type { Sweepable } from './sweep.ts'

/** 0: nothing is counted, or it was reset. */
const used = 0
/** Infinity: never. */
const renewsAt = 1
/** 1: stands in `changed`. */
const noted = 2

export class QuotaTable implements Sweepable {
  private readonly table: NumberTable
  private readonly onChanged: (() => void) | undefined
  private readonly keptAfterEndMs: Millis
  /** Ids of counters that changed, the first one at `taken`; an id whose counter is not noted was taken before. */
  private changed: number[] = []
  private taken = 0
  private sweptTo = 0
  // The counter that is being decided on: filled from the table and written back, so that no request makes one.
  private readonly counter: QuotaCounter = freshQuota()

  /** `onChanged` hears of the first change after all were taken; without it none are noted. */
  constructor(seed: number, keptAfterEndMs: Millis, onChanged: (() => void) | undefined) {
    this.table = new NumberTable(3, seed)
    this.keptAfterEndMs = keptAfterEndMs
    this.onChanged = onChanged
  }

  spend(name: string, limit: QuotaLimit, amount: number, now: Millis, places?: CounterPlaces): QuotaSpent {
    const { table, counter } = this
    let id = places === undefined ? table.find(name) : table.findNear(name, places.quota)
    if (id >= 0) this.load(id)
    else {
      counter.used = 0
      counter.renewsAt = undefined
    }
    const spent = decideQuota(counter, now, limit, amount)
    if (amount > 0) {
      if (id < 0) id = table.add(name)
      this.save(id)
      this.note(id)
    }
    if (places !== undefined && places.quota !== id) places.quota = id
    return spent
  }

  /** `undefined` when nothing was counted in the current period. */
  read(name: string, now: Millis): QuotaState | undefined {
    const id = this.table.find(name)
    if (id < 0) return undefined
    this.load(id)
    const { counter } = this
    return counter.used === 0 || isQuotaOver(counter, now) ? undefined : { ...counter }
  }

  /** What was reset leaves the table with a sweep, after it was taken as a change. */
  reset(name: string): void {
    const id = this.table.find(name)
    if (id < 0 || this.table.get(id, used) === 0) return
    this.table.set(id, used, 0)
    this.note(id)
  }

  /** Counters held, those that were reset and not swept yet among them. */
  get size(): number {
    return this.table.size
  }

  /** Changes that can be taken, at most. */
  get changes(): number {
    return this.changed.length - this.taken
  }

  /** Takes at most so many changes as a blob. */
  takeChanges(most: number): Uint8Array {
    const packer = new QuotaPacker()
    const end = Math.min(this.taken + most, this.changed.length)
    for (; this.taken < end; this.taken++) {
      const id = this.changed[this.taken] as number
      if (this.table.get(id, noted) === 0) continue
      this.table.set(id, noted, 0)
      this.pack(packer, id)
    }
    if (end === this.changed.length) {
      this.changed = []
      this.taken = 0
    }
    return packer.finish()
  }

  /** Notes again what was taken and could not be kept. */
  giveBack(blob: Uint8Array): void {
    unpackQuotas(blob, (name) => {
      const { table } = this
      const found = table.find(name)
      // One that was reset may have been swept: it must still be told.
      this.note(found >= 0 ? found : table.add(name))
    })
  }

  /** All counters as blobs, a slice of ids at a time; `next` is where to go on, `undefined` at the end. */
  slice(from: number, ids: number): { readonly blob: Uint8Array; readonly next: number | undefined } {
    const { table } = this
    const packer = new QuotaPacker()
    const end = Math.min(from + ids, table.idsEnd)
    for (let id = from; id < end; id++) if (table.isUsed(id) && table.get(id, used) > 0) this.pack(packer, id)
    return { blob: packer.finish(), next: end < table.idsEnd ? end : undefined }
  }

  /** Puts kept counters back, later blobs over earlier ones; false: the blob is broken from some byte on. */
  putBack(blob: Uint8Array, now: Millis): boolean {
    const { table, counter } = this
    return unpackQuotas(blob, (name, state) => {
      const found = table.find(name)
      counter.used = state.used
      counter.renewsAt = state.renewsAt
      const isNothing = state.used <= 0 || isQuotaOver(counter, now - this.keptAfterEndMs)
      if (!isNothing) this.save(found >= 0 ? found : table.add(name))
      else if (found >= 0) table.remove(found)
    })
  }

  sweepSlice(entries: number, now: Millis): boolean {
    const { table } = this
    const end = Math.min(this.sweptTo + entries, table.idsEnd)
    for (let id = this.sweptTo; id < end; id++) {
      if (!table.isUsed(id) || table.get(id, noted) !== 0) continue
      // Nobody need be told of an end: whoever reads a kept counter sees that it is over.
      if (table.get(id, used) === 0 || table.get(id, renewsAt) <= now - this.keptAfterEndMs) table.remove(id)
    }
    const isDone = end >= table.idsEnd
    this.sweptTo = isDone ? 0 : end
    return isDone
  }

  private note(id: number): void {
    if (this.onChanged === undefined || this.table.get(id, noted) !== 0) return
    this.table.set(id, noted, 1)
    this.changed.push(id)
    if (this.changed.length === 1) this.onChanged()
  }

  private load(id: number): void {
    const end = this.table.get(id, renewsAt)
    this.counter.used = this.table.get(id, used)
    this.counter.renewsAt = end === Number.POSITIVE_INFINITY ? undefined : end
  }

  private save(id: number): void {
    this.table.set(id, used, this.counter.used)
    this.table.set(id, renewsAt, this.counter.renewsAt ?? Number.POSITIVE_INFINITY)
  }

  private pack(packer: QuotaPacker, id: number): void {
    const { table } = this
    const end = table.get(id, renewsAt)
    packer.add(table.shelfOf(id), table.placeOf(id), table.get(id, used), end === Number.POSITIVE_INFINITY ? 0 : end)
  }
}
