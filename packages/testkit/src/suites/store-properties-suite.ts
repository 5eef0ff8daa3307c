/**
 * Every property on a store, as a suite to run against an adapter; what a store must give is `properties/store-lab.ts`:
 *
 *     storePropertiesSuite({ name: 'mine', open: (clock) => ({ store: makeMyStore({ clock }), close() {} }) })
 */
import { describe, expect, it } from 'vitest'
import { showReport } from '../properties/property.ts'
import type { StoreHarness } from '../properties/store-harness.ts'
import { storeProperties, worstFixedWindow } from '../properties/store-properties.ts'

export interface StorePropertiesSuiteOptions {
  /** Requests of each property, at the least. Default 1,000; the environment variable `LAWS_LONG` makes them ten times as many. */
  readonly requests?: number
}

/** Declares the suite under the store's name. */
export function storePropertiesSuite(lab: StoreHarness, { requests = 1000 }: StorePropertiesSuiteOptions = {}): void {
  const wanted = process.env['LAWS_LONG'] === undefined ? requests : 10 * requests
  describe(`properties on a store: ${lab.name}`, () => {
    const runs = storeProperties(lab).map((one) => [`property ${one.property}: ${one.name}`, one] as const)
    it.each(runs)('%s', { timeout: 600_000 }, async (_, { name, run }) => {
      const report = await run({ requests: wanted, cases: 10 })
      expect(report.holds, showReport(report, `${name} on ${lab.name}`)).toBe(true)
    })
    it('property 2, fixed window: a trace is found that reaches twice the limit', async () => {
      expect(await worstFixedWindow(lab)).toBe(10)
    })
  })
}
