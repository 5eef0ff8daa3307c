/**
 * Quota counters in a `CounterTable`. Stores that keep quotas elsewhere hear that something changed, and fetch what did
 * as a blob, each counter once however often it was counted meanwhile.
 */
import type { Millis } from '../ports/clock.ts'
import type { QuotaLimit, QuotaSpent, QuotaState } from '../ports/quota.ts'
import type { CounterPlaces } from '../ports/store.ts'
import { decideQuota, freshQuota, isQuotaOver, type QuotaCounter } from '../quota/decide-quota.ts'
import { namingOfTicket } from '../session/names/counter-ticket.ts'
import { CounterTable, type CounterTableOptions } from './counter-table.ts'
import { quotaColumn } from './key-rows.ts'
import { type QuotaPacker, unpackQuotas } from './quota-blob.ts'
import { QuotaChanges } from './quota-changes.ts'

/** 0: nothing is counted, or it was reset. */
const used = 0
/** Infinity: never. */
const renewsAt = 1
/** Where it stands among the changes; one that was taken stands nowhere. */
const noted = 2
/** In slices, ids of the table begin here, behind those of rows of keys. */
const tableFrom = 2 ** 40

export interface QuotaTableOptions extends CounterTableOptions {
  /** Hears of the first change after all were taken; without it none are noted. */
  readonly onChanged?: (() => void) | undefined
}

export class QuotaTable extends CounterTable {
  private readonly onChanged: (() => void) | undefined
  private readonly changed = new QuotaChanges()
  // The counter that is being decided on: filled from the table and written back, so that no request makes one.
  private readonly counter: QuotaCounter = freshQuota()

  constructor(options: QuotaTableOptions) {
    super(quotaColumn, options)
    this.onChanged = options.onChanged
  }

  spend(
    name: string,
    limit: QuotaLimit,
    amount: number,
    now: Millis,
    places?: CounterPlaces,
    ticket?: number,
  ): QuotaSpent {
    const { counter } = this
    const isThere = this.seek(name, places, ticket)
    if (isThere) this.load()
    else {
      counter.used = 0
      counter.renewsAt = undefined
    }
    const spent = decideQuota(counter, now, limit, amount)
    if (amount > 0) {
      this.claim(name, isThere, now, places, ticket)
      this.save()
      this.note()
    }
    return spent
  }

  /** `undefined` when nothing was counted in the current period. */
  read(name: string, now: Millis): QuotaState | undefined {
    if (!this.seek(name)) return undefined
    this.load()
    const { counter } = this
    return counter.used === 0 || isQuotaOver(counter, now) ? undefined : { ...counter }
  }

  /** What was reset leaves the table with a sweep. */
  reset(name: string): void {
    if (!this.seek(name) || this.get(used) === 0) return
    this.set(used, 0)
    this.note()
  }

  /** Counters that changed and were not taken. */
  get changes(): number {
    return this.changed.size
  }

  /** Takes all changes, as blobs of some hundred kilobytes in the order in which they are to be kept. */
  takeChanges(): Uint8Array[] {
    return this.changed.take()
  }

  /** The bytes of a blob, of changes or of a slice, are free: it is kept. */
  reuse(blob: Uint8Array): void {
    this.changed.reuse(blob)
  }

  /** Notes again what was taken and could not be kept. */
  giveBack(blob: Uint8Array): void {
    unpackQuotas(blob, (name) => {
      // One that was reset may have been swept: it must still be told.
      if (!this.seek(name)) this.goHome(this.table.add(name))
      this.note()
    })
  }

  /**
   * All counters as blobs, a slice of ids at a time; `next` is where to go on, `undefined` at the end. One that moves
   * from the table to a row meanwhile may be missed: it has been counted then, so it is among the changes.
   */
  slice(from: number, ids: number): { readonly blob: Uint8Array; readonly next: number | undefined } {
    const { keyRows, table } = this
    const at = from < keyRows.idsEnd ? from : Math.max(from, tableFrom)
    const isInRows = at < tableFrom
    const base = isInRows ? 0 : tableFrom
    const rows = isInRows ? keyRows : table
    const end = Math.min(at - base + ids, rows.idsEnd)
    const packer = this.changed.newPage()
    for (let id = at - base; id < end; id++) {
      if (this.goIfUsed(id, isInRows) && this.get(used) > 0) this.pack(packer)
    }
    const behind = isInRows ? tableFrom : undefined
    return { blob: packer.finish(), next: end < rows.idsEnd ? base + end : behind }
  }

  /** Puts kept counters back, later blobs over earlier ones; false: the blob is broken from some byte on. */
  putBack(blob: Uint8Array, now: Millis): boolean {
    const { counter } = this
    return unpackQuotas(blob, (name, state) => {
      const isThere = this.seek(name)
      counter.used = state.used
      counter.renewsAt = state.renewsAt
      const isNothing = state.used <= 0 || isQuotaOver(counter, now - this.keptAfterEndMs)
      if (isNothing) {
        if (isThere) this.forget()
        return
      }
      if (!isThere) this.goHome(this.table.add(name))
      this.save()
    })
  }

  protected nameIn(row: number, ticket: number): string {
    return namingOfTicket(ticket).names.quota(this.keyRows.nameOf(row))
  }

  protected isNamed(name: string, row: number, ticket: number): boolean {
    const { quotaPrefix: prefix, isTold } = namingOfTicket(ticket).names
    return isTold && name.startsWith(prefix) && this.keyRows.isNamed(row, name.slice(prefix.length))
  }

  /** Nobody need be told of an end: whoever reads a kept counter sees that it is over. */
  protected isOver(now: Millis): boolean {
    return this.get(used) === 0 || this.get(renewsAt) <= now - this.keptAfterEndMs
  }

  protected nearOf(places: CounterPlaces): number {
    return places.quota
  }

  protected noteNear(places: CounterPlaces, id: number): void {
    places.quota = id
  }

  /** Notes that the sought counter has changed. */
  private note(): void {
    const { changed, onChanged } = this
    if (onChanged === undefined) return
    if (changed.replace(this.get(noted), this.get(used), finite(this.get(renewsAt)))) return
    const { names, place } = this
    this.set(noted, changed.add(this.prefix, names, place, this.get(used), finite(this.get(renewsAt))))
    if (changed.size === 1) onChanged()
  }

  private load(): void {
    const end = this.get(renewsAt)
    this.counter.used = this.get(used)
    this.counter.renewsAt = end === Number.POSITIVE_INFINITY ? undefined : end
  }

  private save(): void {
    this.set(used, this.counter.used)
    this.set(renewsAt, this.counter.renewsAt ?? Number.POSITIVE_INFINITY)
  }

  private pack(packer: QuotaPacker): void {
    packer.add(this.prefix, this.names, this.place, this.get(used), finite(this.get(renewsAt)))
  }

  /** What stands before the name that lies with the sought counter. */
  private get prefix(): string {
    const { lodgerTicket } = this
    return lodgerTicket === 0 ? '' : namingOfTicket(lodgerTicket).names.quotaPrefix
  }
}

/** As blobs have it. */
const finite = (end: number) => (end === Number.POSITIVE_INFINITY ? 0 : end)
