/**
 * Tracks whether the data folder accepts writes. After a failed write, a full disk for example, all writes reject with
 * `StoreUnavailableError` at once until a probe succeeds, so that a full disk costs one line of the log and not one for
 * each write. Reads continue. What a request gets is decided as for Redis: packages/core/src/pipeline/compile/store-outage.ts.
 */
import type { Millis } from '@turnpike/core/lib'
import { type Cancel, type Clock, type Log, type StoreHealth, StoreUnavailableError } from '@turnpike/core/ports'

/** A write failed because of the disk, not because of a bug in the write. */
export class DiskError extends Error {}

export interface DiskAvailabilityOptions {
  readonly folder: string
  readonly clock: Clock
  readonly log: Log
  /** Writes as much as a usual write needs; rejects if that fails. */
  readonly probe: () => Promise<void>
}

const probePauseMs = 1000

export class DiskAvailability {
  /** Number of outages since the start. */
  outages = 0
  /** Writes that failed because of the disk, since the start. */
  rejected = 0
  private readonly options: DiskAvailabilityOptions
  private outage: { readonly since: Millis; readonly reason: string } | undefined = undefined
  private cancelProbe: Cancel = () => {}
  private isClosed = false

  constructor(options: DiskAvailabilityOptions) {
    this.options = options
  }

  health(): StoreHealth {
    if (this.isClosed) return { ok: false, reason: 'the store is closed' }
    return this.outage === undefined ? { ok: true } : { ok: false, reason: this.outage.reason }
  }

  /** Runs a write. Rejects with `StoreUnavailableError` if the disk does not accept it. */
  async write<T>(act: () => Promise<T>): Promise<T> {
    if (this.outage !== undefined) throw this.rejection(this.outage.reason)
    try {
      return await act()
    } catch (cause) {
      if (!(cause instanceof DiskError)) throw cause
      throw this.rejection(this.markUnavailable(cause))
    }
  }

  /** The disk stays unavailable until a probe succeeds. Returns the reason. */
  markUnavailable(cause: Error): string {
    if (this.outage !== undefined) return this.outage.reason
    const { folder, clock, log } = this.options
    const reason = `cannot write to disk: ${cause.message}`
    this.outage = { since: clock.now(), reason }
    this.outages += 1
    log.error('the data folder is not writable; writes are rejected, reads continue', { folder, reason })
    this.planProbe()
    return reason
  }

  close(): void {
    this.isClosed = true
    this.cancelProbe()
  }

  private rejection(reason: string): StoreUnavailableError {
    this.rejected += 1
    return new StoreUnavailableError(reason)
  }

  private planProbe(): void {
    if (this.isClosed) return
    this.cancelProbe = this.options.clock.after(probePauseMs, () => {
      this.options.probe().then(
        () => this.endOutage(),
        () => this.planProbe(),
      )
    })
  }

  private endOutage(): void {
    const { clock, log } = this.options
    if (this.outage === undefined || this.isClosed) return
    log.warn('the data folder is writable again', { outageMs: Math.round(clock.now() - this.outage.since) })
    this.outage = undefined
  }
}
