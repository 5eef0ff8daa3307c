/** Every law on a real Redis, on virtual time. */
import { showReport, storeProperties } from '@turnpike/testkit'
import { storePropertiesSuite } from '@turnpike/testkit/suites/store-properties-suite'
import { expect, it } from 'vitest'
import { describeWithRedisLab } from './testing/describe-redis-lab.ts'

describeWithRedisLab('a Redis whose time is set', (lab) => storePropertiesSuite(lab))

// Rates go by the time of Redis, whatever a node's own clock says.
for (const nodesAheadMs of [-90_000, 3_600_000]) {
  describeWithRedisLab(
    `a Redis whose nodes have clocks that are wrong by ${nodesAheadMs / 1000} s`,
    (lab) => {
      const runs = storeProperties(lab).filter(({ name }) => /^(rolling|fixed), nodes/.test(name))
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
