/**
 * Cases for gateways in real time, where no request is decided at exactly the planned instant. All instants are on a
 * grid that avoids the edges of windows: a window has two and a half steps, and where windows are aligned the grid
 * begins a quarter of a step after their edge. So an exact gateway makes the same decision at any instant within a
 * tenth of a window after the planned one. Later requests are discarded, and the case is repeated.
 */
import type { Millis } from '@turnpike/core'
import fc from 'fast-check'
import type { RateCase, WrittenRate } from '../arbitraries/rate-cases.ts'
import type { RateRequest } from '../arbitraries/traces.ts'
import type { RateTraits } from '../properties/subjects/rate-subject.ts'
import { virtualEpoch } from '../virtual-clock.ts'

/** Steps of the grid in a window. */
const stepsPerWindow = 2.5

/** Minimum distance of every trace from the edges of windows, as a share of the window. */
export const clearanceShare = 0.1
/**
 * Maximum delay of a response, as a share of the window; slightly less than the distance, for the rounding of clocks.
 */
export const precisionShare = 0.08

/** Traces over at most three windows, with bursts around the limit, of one key by default. */
export function gridCases(traits: RateTraits, limits: readonly WrittenRate[], keys = 1): fc.Arbitrary<RateCase> {
  const steps = fc.array(
    fc.record({ silence: fc.integer({ min: 0, max: 4 }), key: fc.nat(keys - 1), burst: fc.nat(5) }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  return fc.tuple(fc.constantFrom(...limits), steps).map(([limit, drawn]) => {
    const windowMs = traits.windowMs(limit.per)
    const stepMs = windowMs / stepsPerWindow
    const most = Math.max(1, traits.most(limit.rate))
    const requests: RateRequest[] = []
    let at: Millis = virtualEpoch + stepMs / 4
    for (const { silence, key, burst } of drawn) {
      const to = at + silence * stepMs
      // No client waits for more than three windows.
      if (to < virtualEpoch + 3 * windowMs) at = to
      const count = [1, 1, 2, most, most + 1, Math.max(1, most - 1)][burst] ?? 1
      for (let i = 0; i < Math.min(count, 12); i += 1) {
        requests.push({ at: Math.round(at), key: String.fromCharCode(97 + key), amount: 1 })
      }
    }
    return { limit, requests }
  })
}
