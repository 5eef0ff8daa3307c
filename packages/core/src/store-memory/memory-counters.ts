/**
 * Rates and quotas in one map. The LMDB store of one process uses these counters and writes the quotas to a log; the Redis
 * store uses them for the algorithm `local`.
 */
import type { Clock } from '../ports/clock.ts'
import type { QuotaState } from '../ports/quota.ts'
import {
  type CounterOperations,
  CounterState,
  keptAfterEndMs,
  makeCounterOperations,
  type OnQuotaChange,
} from './counter-operations.ts'
import { type Sweepable, startSweeping, sweepMap } from './sweep.ts'

export interface MemoryCounters extends CounterOperations {
  /** Number of counters. */
  readonly size: number
  /** All quotas with a count, by the keys of their counters. */
  quotas(): Iterable<readonly [key: string, state: QuotaState]>
  /** Sets a quota to a saved state, or clears it if the saved period has ended. */
  restoreQuota(key: string, state: QuotaState): void
  /** For callers that run the sweep themselves. */
  readonly sweepable: Sweepable
  /** Stops the sweep. */
  close(): void
}

export interface MemoryCountersOptions {
  readonly clock: Clock
  readonly onQuotaChange?: OnQuotaChange
  /** Starts a sweep. Default: true. */
  readonly sweep?: boolean
}

export function makeMemoryCounters({ clock, onQuotaChange, sweep = true }: MemoryCountersOptions): MemoryCounters {
  const states = new Map<string, CounterState>()
  const sweepable = sweepMap(states, (state, now) => state.isOver(now - keptAfterEndMs))
  const stopSweeping = sweep ? startSweeping(clock, [sweepable]) : () => {}
  return {
    ...makeCounterOperations(states, clock, onQuotaChange),
    get size() {
      return states.size
    },
    *quotas() {
      for (const entry of states) if (entry[1].used > 0) yield entry
    },
    restoreQuota(key, { used, renewsAt }) {
      const state = states.get(key) ?? new CounterState()
      states.set(key, state)
      state.used = Math.max(0, used)
      state.renewsAt = renewsAt
      if (state.isOver(clock.now() - keptAfterEndMs)) states.delete(key)
    },
    sweepable,
    close: stopSweeping,
  } satisfies MemoryCounters
}
