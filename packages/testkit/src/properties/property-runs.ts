/**
 * Every property on the correct code, in one list. Mutants are compared with it: a property that detects a mutant with
 * some seed must hold with the same seed on the correct code.
 */

import { limiterProperties } from './limiter-properties.ts'
import { type PropertyRun, propertyRun } from './property.ts'
import { rollingLogProperty } from './property-01-rolling-log.ts'
import { slidingCounterProperty } from './property-03-sliding-counter.ts'
import { flowProperty } from './property-04-flow.ts'
import { equivalenceProperty } from './property-05-equivalence.ts'
import { monotonicityProperty } from './property-07-monotonicity.ts'
import { linearizabilityProperty, simultaneousRate } from './property-12-linearizability.ts'
import { crashProperty } from './property-14-refinement-crash.ts'
import { memoryHarness } from './store-harness.ts'
import { storeProperties } from './store-properties.ts'
import { makeCommandStore } from './subjects/command-store.ts'
import { compatibleRate } from './subjects/compatible-rates.ts'
import type { ManagementUnderTest } from './subjects/management-under-test.ts'
import { flowRates, flows, plainLogRate, slidingCounter, slidingRate } from './subjects/textbook-rates.ts'

const oneLess = compatibleRate('rolling', { oneLess: true })
/** Rates that the properties of a store do not cover. */
const furtherRates = [oneLess, ...flowRates, slidingRate, plainLogRate]

/** Every property of one node, on the memory store and on limiters without a store. */
export function propertyRuns(management: ManagementUnderTest): readonly PropertyRun[] {
  return [
    ...storeProperties(memoryHarness, { management }),
    propertyRun(rollingLogProperty, plainLogRate),
    propertyRun(slidingCounterProperty, slidingCounter),
    ...flows.map((flow) => propertyRun(flowProperty, flow)),
    propertyRun(equivalenceProperty, { name: flows.map(({ name }) => name).join(', '), members: flows }),
    ...limiterProperties.flatMap((property) =>
      furtherRates
        .filter(({ traits }) => property !== monotonicityProperty || traits.monotone)
        .map((rate) => propertyRun(property, rate)),
    ),
    propertyRun(linearizabilityProperty, simultaneousRate(oneLess)),
    propertyRun(crashProperty, makeCommandStore('counting in one command')),
  ]
}
