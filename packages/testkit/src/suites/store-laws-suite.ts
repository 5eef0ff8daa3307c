/**
 * Every law on a store, as a suite to run against an adapter; what a store must give is `laws/store-lab.ts`:
 *
 *     storeLawsSuite({ name: 'mine', open: (clock) => ({ store: makeMyStore({ clock }), close() {} }) })
 */
import { describe, expect, it } from 'vitest'
import { showReport } from '../laws/law.ts'
import { lawsOnStore, worstFixedWindow } from '../laws/laws-on-store.ts'
import type { StoreLab } from '../laws/store-lab.ts'

export interface StoreLawsOptions {
  /** Requests of each law, at the least. Default 1,000; the environment variable `LAWS_LONG` makes them ten times as many. */
  readonly requests?: number
}

/** Declares the suite under the store's name. */
export function storeLawsSuite(lab: StoreLab, { requests = 1000 }: StoreLawsOptions = {}): void {
  const wanted = process.env['LAWS_LONG'] === undefined ? requests : 10 * requests
  describe(`laws on a store: ${lab.name}`, () => {
    const runs = lawsOnStore(lab).map((one) => [`law ${one.law}: ${one.name}`, one] as const)
    it.each(runs)('%s', { timeout: 600_000 }, async (_, { name, run }) => {
      const report = await run({ requests: wanted, cases: 10 })
      expect(report.holds, showReport(report, `${name} on ${lab.name}`)).toBe(true)
    })
    it('law 2, fixed window: a trace is found that reaches twice the limit', async () => {
      expect(await worstFixedWindow(lab)).toBe(10)
    })
  })
}
