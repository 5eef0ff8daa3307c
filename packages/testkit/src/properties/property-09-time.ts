/**
 * Property 9. Traces are shifted by whole windows, so that aligned windows shift too. The stopped clock of a key stays at
 * the latest instant of its requests until the time reaches that instant again. The trait `stepBackMs` limits how far the
 * clock may step back, because a store deletes expired counters.
 */
import type { Millis } from '@turnpike/core/lib'
import { rateCases } from '../arbitraries/rate-cases.ts'
import type { RateRequest } from '../arbitraries/traces.ts'
import { makeRateProperty } from './rate-property.ts'
import { takeAll } from './subjects/rate-subject.ts'

export const timeProperty = makeRateProperty({
  number: 9,
  name: 'shifted clocks',
  statement:
    'Shifting a trace in time keeps all decisions, and a clock that steps back never admits more than a clock that stops instead.',
  cases: rateCases({ clockSteps: true, keys: 2 }),
  requestsOf: ({ requests }) => 2 * requests.length,
  async check({ traits, make }, { limit, requests: generated }) {
    const window = traits.restartsAfterStepBack === true ? traits.windowMs(limit.per) : Number.POSITIVE_INFINITY
    const requests = limitStepsBack(generated, Math.min(traits.stepBackMs, window))
    const taken = await takeAll(make(limit), requests)

    const shiftMs = traits.windowMs(limit.per) * (1 + (requests.length % 1000))
    const shifted = await takeAll(
      make(limit),
      requests.map((request) => ({ ...request, at: request.at + shiftMs })),
    )
    const different = taken.findIndex(({ allowed }, index) => allowed !== shifted[index]?.allowed)
    if (different !== -1) return `request ${different} is decided differently ${shiftMs} ms later`

    const stopped = await takeAll(make(limit), onStoppedClock(requests))
    const ahead = new Map<string, number>()
    for (const [index, { key }] of requests.entries()) {
      const more = Number(taken[index]?.allowed === true) - Number(stopped[index]?.allowed === true)
      const sum = (ahead.get(key) ?? 0) + more
      ahead.set(key, sum)
      if (sum > 0) return `up to request ${index}, more requests are admitted than on a stopped clock`
    }
    return undefined
  },
})

/** Limits the steps of the clock: no request is more than `maxStepMs` before the latest one. */
function limitStepsBack(requests: readonly RateRequest[], maxStepMs: Millis): RateRequest[] {
  let latest = Number.NEGATIVE_INFINITY
  return requests.map((request) => {
    const at = Math.max(request.at, latest - maxStepMs)
    latest = Math.max(latest, at)
    return { ...request, at }
  })
}

function onStoppedClock(requests: readonly RateRequest[]): RateRequest[] {
  const latest = new Map<string, number>()
  return requests.map((request) => {
    const at = Math.max(request.at, latest.get(request.key) ?? Number.NEGATIVE_INFINITY)
    latest.set(request.key, at)
    return { ...request, at }
  })
}
