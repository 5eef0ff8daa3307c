/** All store properties on a real Redis with virtual time. */
import { managementUnderTest as management } from '@turnpike/mgmt-api/testing'
import { showReport, storeProperties } from '@turnpike/testkit'
import { storePropertiesSuite } from '@turnpike/testkit/suites/store-properties-suite'
import { expect, it } from 'vitest'
import { describeWithRedisHarness } from './testing/describe-with-redis-harness.ts'

describeWithRedisHarness('a Redis with virtual time', (harness) => storePropertiesSuite(harness, { management }))

// Rates use the time of Redis, regardless of the node's own clock.
for (const nodesAheadMs of [-90_000, 3_600_000]) {
  describeWithRedisHarness(
    `a Redis whose nodes have clocks that are wrong by ${nodesAheadMs / 1000} s`,
    (harness) => {
      const runs = storeProperties(harness).filter(({ name }) => /^(rolling|fixed), nodes/.test(name))
      it.each(runs.map((one) => [`property ${one.property}: ${one.name}`, one] as const))(
        '%s',
        async (_, { name, run }) => {
          const report = await run({ requests: 500, cases: 10 })
          expect(report.holds, showReport(report, name)).toBe(true)
        },
      )
    },
    { nodesAheadMs },
  )
}
