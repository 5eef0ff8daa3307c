/**
 * Quota counters in a `CounterTable`. Stores that keep quotas elsewhere hear that something changed, and fetch what did
 * as a blob, each counter once however often it was counted meanwhile.
 */
import type { Millis } from '../ports/clock.ts'
import type { CounterPlaces } from '../ports/store.ts'
import { decideQuota, freshQuota, isQuotaOver, type QuotaCounter } from '../quota/decide.ts'
import type { QuotaLimit, QuotaSpent, QuotaState } from '../quota/quota.ts'
import { noTicket } from '../session/names/counter-ticket.ts'
import { CounterTable } from './counter-table.ts'
import { QuotaPacker, unpackQuotas } from './quota-blob.ts'
import { QuotaChanges } from './quota-changes.ts'
import type { Sweepable } from './sweep.ts'

/** 0: nothing is counted, or it was reset. */
const used = 0
/** Infinity: never. */
const renewsAt = 1
/** Where it stands among the changes; one that was taken stands nowhere. */
const noted = 2
const numbers = 3

export class QuotaTable implements Sweepable {
  private readonly table: CounterTable
  private readonly onChanged: (() => void) | undefined
  private readonly keptAfterEndMs: Millis
  private readonly changed = new QuotaChanges()
  private sweptTo = 0
  // The counter that is being decided on: filled from the table and written back, so that no request makes one.
  private readonly counter: QuotaCounter = freshQuota()

  /** `onChanged` hears of the first change after all were taken; without it none are noted. */
  constructor(seed: number, keptAfterEndMs: Millis, onChanged: (() => void) | undefined) {
    this.table = new CounterTable(numbers, seed)
    this.keptAfterEndMs = keptAfterEndMs
    this.onChanged = onChanged
  }

  spend(
    name: string,
    limit: QuotaLimit,
    amount: number,
    now: Millis,
    places?: CounterPlaces,
    ticket = noTicket,
  ): QuotaSpent {
    const { table, counter } = this
    const near = places === undefined ? -1 : places.quota
    let id = table.findBy(name, near, ticket)
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
    if (places !== undefined) {
      if (near !== id) places.quota = id
      table.noteTicket(id, ticket)
    }
    return spent
  }

  /** Begins to fetch a counter from slow memory. */
  prefetch(places: CounterPlaces): void {
    this.table.fetch(places.quota)
  }

  /** `undefined` when nothing was counted in the current period. */
  read(name: string, now: Millis): QuotaState | undefined {
    const id = this.table.find(name)
    if (id < 0) return undefined
    this.load(id)
    const { counter } = this
    return counter.used === 0 || isQuotaOver(counter, now) ? undefined : { ...counter }
  }

  /** What was reset leaves the table with a sweep. */
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

  /** Counters that changed and were not taken. */
  get changes(): number {
    return this.changed.size
  }

  /** Takes all changes, as blobs of some hundred kilobytes in the order in which they are to be kept. */
  takeChanges(): Uint8Array[] {
    return this.changed.take()
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
      if (!table.isUsed(id)) continue
      // Nobody need be told of an end: whoever reads a kept counter sees that it is over.
      if (table.get(id, used) === 0 || table.get(id, renewsAt) <= now - this.keptAfterEndMs) table.remove(id)
    }
    const isDone = end >= table.idsEnd
    this.sweptTo = isDone ? 0 : end
    return isDone
  }

  private note(id: number): void {
    const { table, changed, onChanged } = this
    if (onChanged === undefined) return
    const now = table.get(id, used)
    const end = finite(table.get(id, renewsAt))
    if (changed.replace(table.get(id, noted), now, end)) return
    table.set(id, noted, changed.add(table.shelfOf(id), table.placeOf(id), now, end))
    if (changed.size === 1) onChanged()
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
    packer.add(table.shelfOf(id), table.placeOf(id), table.get(id, used), finite(table.get(id, renewsAt)))
  }
}

/** As blobs have it. */
const finite = (end: number) => (end === Number.POSITIVE_INFINITY ? 0 : end)
