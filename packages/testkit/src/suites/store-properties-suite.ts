/**
 * Checks every property on a store. `properties/store-harness.ts` defines what the harness of a store provides.
 *
 *     storePropertiesSuite({ name: 'mine', open: (clock) => ({ store: makeMyStore({ clock }), close() {} }) })
 */
import { describe, expect, it } from 'vitest'
import { showReport } from '../properties/property.ts'
import type { StoreHarness } from '../properties/store-harness.ts'
import { type StorePropertiesOptions, storeProperties, worstFixedWindow } from '../properties/store-properties.ts'

export interface StorePropertiesSuiteOptions extends Pick<StorePropertiesOptions, 'management'> {
  /** Minimum number of requests for each property. Default 1,000; ten times as many if `PROPERTIES_LONG` is set in the environment. */
  readonly requests?: number
}

/** Declares the suite under the name of the store. */
export function storePropertiesSuite(
  harness: StoreHarness,
  { requests = 1000, management }: StorePropertiesSuiteOptions = {},
): void {
  const minRequests = process.env['PROPERTIES_LONG'] === undefined ? requests : 10 * requests
  describe(`properties of a store: ${harness.name}`, () => {
    const runs = storeProperties(harness, { management }).map(
      (one) => [`property ${one.property}: ${one.name}`, one] as const,
    )
    it.each(runs)('%s', { timeout: 600_000 }, async (_, { name, run }) => {
      const report = await run({ requests: minRequests, cases: 10 })
      expect(report.holds, showReport(report, `${name} on ${harness.name}`)).toBe(true)
    })
    it('property 2, fixed window: some generated trace reaches twice the limit', async () => {
      expect(await worstFixedWindow(harness)).toBe(10)
    })
  })
}
