/**
 * Every property on the correct code, in one list. Mutants are compared with it: a property that detects a mutant with
 * some seed must hold with the same seed on the correct code.
 */

import { type CheckOptions, checkProperty, type Property, type PropertyReport } from './property.ts'
import { rollingLogProperty } from './property-01-rolling-log.ts'
import { fixedWindowProperty } from './property-02-fixed-window.ts'
import { slidingCounterProperty } from './property-03-sliding-counter.ts'
import { flowProperty } from './property-04-flow.ts'
import { equivalenceProperty } from './property-05-equivalence.ts'
import { noStarvationProperty } from './property-06-no-starvation.ts'
import { monotonicityProperty } from './property-07-monotonicity.ts'
import { nonInterferenceProperty } from './property-08-non-interference.ts'
import { timeProperty } from './property-09-time.ts'
import { remainingAndRetryProperty } from './property-10-remaining-and-retry.ts'
import { quotaConservationProperty } from './property-11-quota-conservation.ts'
import { linearizabilityProperty, simultaneousQuota, simultaneousRate } from './property-12-linearizability.ts'
import { crashProperty } from './property-14-refinement-crash.ts'
import { batchProperty } from './property-15-batch.ts'
import { orderProperty } from './property-16-order.ts'
import { keysProperty } from './property-17-keys.ts'
import { singleUseProperty } from './property-18-single-use.ts'
import { cacheProperty } from './property-19-cache.ts'
import { throttlingProperty } from './property-21-throttling.ts'
import { smoothingProperty } from './property-22-smoothing.ts'
import { engineBatches } from './subjects/batch-subject.ts'
import { engineCache } from './subjects/cache-subject.ts'
import { makeCommandStore } from './subjects/command-store.ts'
import { compatibleRate, compatibleRates } from './subjects/compatible-rates.ts'
import { engineKeys } from './subjects/keys-subject.ts'
import { engineCodes, engineRefreshTokens } from './subjects/oauth-subjects.ts'
import { engineOrder } from './subjects/order-subject.ts'
import { compatibleQuota } from './subjects/quota-subject.ts'
import type { RateSubject } from './subjects/rate-subject.ts'
import { smoothedRate } from './subjects/smoothed-rates.ts'
import { flowRates, flows, plainLogRate, slidingCounter, slidingRate } from './subjects/textbook-rates.ts'
import { engineThrottling } from './subjects/throttling-subject.ts'

/** A property and a subject that satisfies it. */
export interface PropertyRun {
  /** Number and name of the property, as in `Mutant`. */
  readonly property: string
  /** Name of the subject. */
  readonly name: string
  run(options?: CheckOptions): Promise<PropertyReport>
}

/** A property on one subject. */
export function propertyRun<S extends { readonly name: string }>(property: Property<S>, subject: S): PropertyRun {
  return {
    property: `${property.number}, ${property.name}`,
    name: subject.name,
    run: (options) => checkProperty(property, subject, options),
  }
}

const everyRate = [...compatibleRates, ...flowRates, slidingRate, plainLogRate]
const on = (property: Property<RateSubject>, subjects: readonly RateSubject[]) =>
  subjects.map((subject) => propertyRun(property, subject))

/** Every property of one node with every subject that must satisfy it. */
export const propertyRuns: readonly PropertyRun[] = [
  ...on(rollingLogProperty, [compatibleRate('rolling'), compatibleRate('rolling', { oneLess: true }), plainLogRate]),
  ...on(fixedWindowProperty, [compatibleRate('fixed'), compatibleRate('local')]),
  propertyRun(slidingCounterProperty, slidingCounter),
  ...flows.map((flow) => propertyRun(flowProperty, flow)),
  propertyRun(equivalenceProperty, { name: flows.map(({ name }) => name).join(', '), members: flows }),
  ...on(noStarvationProperty, everyRate),
  ...on(
    monotonicityProperty,
    everyRate.filter(({ traits }) => traits.monotone),
  ),
  ...on(nonInterferenceProperty, everyRate),
  ...on(timeProperty, everyRate),
  ...on(remainingAndRetryProperty, everyRate),
  propertyRun(quotaConservationProperty, compatibleQuota()),
  ...compatibleRates.map((rate) => propertyRun(linearizabilityProperty, simultaneousRate(rate))),
  propertyRun(linearizabilityProperty, simultaneousQuota(compatibleQuota())),
  propertyRun(crashProperty, makeCommandStore('counting in one command')),
  propertyRun(batchProperty, engineBatches('the engine')),
  propertyRun(orderProperty, engineOrder('the engine')),
  propertyRun(keysProperty, engineKeys('hashed keys', { hashKeys: true, hashFunction: 'sha256' })),
  propertyRun(singleUseProperty, engineCodes('authorization codes')),
  propertyRun(singleUseProperty, engineRefreshTokens('refresh tokens')),
  propertyRun(cacheProperty, engineCache('cache_options, in memory')),
  propertyRun(cacheProperty, engineCache('RFC 9111, in memory', { mode: 'rfc9111' })),
  ...(['local', 'rolling', 'fixed'] as const).map((algorithm) =>
    propertyRun(throttlingProperty, engineThrottling(algorithm)),
  ),
  propertyRun(smoothingProperty, smoothedRate('rolling')),
  propertyRun(smoothingProperty, smoothedRate('sentinel')),
]
