/** The properties of every rate limiter, in one list. Property 7 applies only to subjects with the trait `monotone`. */
import { noStarvationProperty } from './property-06-no-starvation.ts'
import { monotonicityProperty } from './property-07-monotonicity.ts'
import { nonInterferenceProperty } from './property-08-non-interference.ts'
import { timeProperty } from './property-09-time.ts'
import { remainingAndRetryProperty } from './property-10-remaining-and-retry.ts'

export const limiterProperties = [
  noStarvationProperty,
  monotonicityProperty,
  nonInterferenceProperty,
  timeProperty,
  remainingAndRetryProperty,
] as const
