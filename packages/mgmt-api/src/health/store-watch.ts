/** Checks the store periodically and keeps the last result. Source: docs/reference/health.md#probe-paths. */
import type { Clock, Store, StoreHealth } from '@turnpike/core/ports'
import type { StoreCheck } from '../management.ts'

export interface StoreWatch {
  /** `undefined` before the first check. */
  last(): StoreCheck | undefined
  /** Checks now and returns whether the store responded. */
  isReachable(): Promise<boolean>
  stop(): void
}

/**
 * Watches until stopped; the first check is one period after the start. A check that has not ended after a period has
 * failed. `periodMs` default: 10 s.
 */
export function makeStoreWatch(store: Pick<Store, 'check'>, clock: Clock, periodMs = 10_000): StoreWatch {
  let last: StoreCheck | undefined
  let stopped = false
  let cancel = () => {}

  async function check(): Promise<StoreCheck> {
    const failed = (reason: string) => ({ ok: false as const, reason })
    const responded = store.check().catch((error: unknown) => failed(String(error)))
    let cancelTimeout = () => {}
    const hanging = new Promise<StoreHealth>((resolve) => {
      cancelTimeout = clock.after(periodMs, () => resolve(failed('health check timed out')))
    })
    const health = await Promise.race([responded, hanging])
    cancelTimeout()
    return { at: clock.now(), problem: health.ok ? undefined : health.reason }
  }

  function plan(): void {
    cancel = clock.after(periodMs, () => {
      void check().then((result) => {
        last = result
        if (!stopped) plan()
      })
    })
  }
  plan()

  return {
    last: () => last,
    async isReachable() {
      const result = await check()
      // Probes report a problem, and its end, before the next period.
      if (result.problem !== undefined || last?.problem !== undefined) last = result
      return result.problem === undefined
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}
