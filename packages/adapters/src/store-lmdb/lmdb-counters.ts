/** What the store needs of its counters, whether one process counts or several. */
import type { Clock, CounterStore } from '@turnpike/core/ports'
import type { DiskAvailability } from './disk-availability.ts'
import type { Swept } from './disk-sweep.ts'

export interface LmdbCounters {
  readonly counters: CounterStore
  /** Tables of counters on disk. */
  readonly swept: readonly Swept[]
  /** Writes what could not be written; rejects if the disk does not accept it. */
  probe(): Promise<void>
  /** Why the last write of quotas failed; `undefined`: it did not. */
  problem(): string | undefined
  /** Resolves when all writes so far have ended. */
  settled(): Promise<void>
  /** Writes pending quotas. */
  close(): Promise<void>
}

export interface CountersParts {
  /** The data folder. */
  readonly folder: string
  readonly clock: Clock
  readonly disk: DiskAvailability
}
