/**
 * Property 9. Traces are shifted by whole windows, which is right for aligned windows too. A stopped clock is taken a key
 * at a time: it stands still at the newest instant of the key's own requests until the time comes up to it.
 * How far the clock may step back is a parameter: a store that sweeps out what is over cannot know of it for ever.
 */
import type { Millis } from '@turnpike/core'
import { type RateCase, rateCases, showRateCase } from '../arbitraries/rate-cases.ts'
import type { RateRequest } from '../arbitraries/traces.ts'
import { makeProperty } from './property.ts'
import { type RateSubject, takeAll } from './rate-subject.ts'

export const timeProperty = makeProperty<RateSubject, RateCase>({
  number: 9,
  name: 'time',
  statement:
    'Shifting a trace keeps all decisions; a clock that steps back never admits more than the same trace on a clock that stood still meanwhile.',
  cases: rateCases({ clockSteps: true, keys: 2 }),
  requestsOf: ({ requests }) => 2 * requests.length,
  show: showRateCase,
  async check({ traits, make }, { limit, requests: drawn }) {
    const requests = steppingBackBy(drawn, traits.stepBackMs)
    const taken = await takeAll(make(limit), requests)

    const shiftMs = traits.windowMs(limit.per) * (1 + (requests.length % 1000))
    const shifted = await takeAll(
      make(limit),
      requests.map((request) => ({ ...request, at: request.at + shiftMs })),
    )
    const different = taken.findIndex(({ allowed }, index) => allowed !== shifted[index]?.allowed)
    if (different !== -1) return `request ${different} is decided otherwise ${shiftMs} ms later`

    const stopped = await takeAll(make(limit), onStoppedClock(requests))
    const ahead = new Map<string, number>()
    for (const [index, { key }] of requests.entries()) {
      const more = Number(taken[index]?.allowed === true) - Number(stopped[index]?.allowed === true)
      const sum = (ahead.get(key) ?? 0) + more
      ahead.set(key, sum)
      if (sum > 0) return `up to request ${index} more is admitted than on a stopped clock`
    }
    return undefined
  },
})

/** The trace, on a clock that never lies further behind its newest time. */
function steppingBackBy(requests: readonly RateRequest[], atMost: Millis): RateRequest[] {
  let newest = Number.NEGATIVE_INFINITY
  return requests.map((request) => {
    const at = Math.max(request.at, newest - atMost)
    newest = Math.max(newest, at)
    return { ...request, at }
  })
}

function onStoppedClock(requests: readonly RateRequest[]): RateRequest[] {
  const newest = new Map<string, number>()
  return requests.map((request) => {
    const at = Math.max(request.at, newest.get(request.key) ?? Number.NEGATIVE_INFINITY)
    newest.set(request.key, at)
    return { ...request, at }
  })
}
