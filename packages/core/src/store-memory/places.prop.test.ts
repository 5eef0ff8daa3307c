import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RateLimit } from '../ports/rate-limit.ts'
import type { CounterPlaces } from '../ports/store.ts'
import { newStay, noTicket, ticketOf } from '../session/names/counter-ticket.ts'
import { makeMemoryCounters } from './memory-counters.ts'

const rate: RateLimit = { algorithm: 'local', rate: 1000, per: 10, smoothing: undefined, oneLess: false }
const quota = { max: 1000, renewalSeconds: 10 }
/** The last one is too long for a row. */
const names = ['a', 'b', 'x'.repeat(200)]

const step = fc.record({
  name: fc.nat(names.length - 1),
  kind: fc.constantFrom(
    'ask',
    'ask',
    'ask',
    'ask without places',
    'ask without a ticket',
    'look',
    'key is written anew',
    'reset',
    'wait',
  ),
  /** Whose places are told; seldom those of another. */
  places: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.nat(names.length - 1) },
  ),
})

test('counters that are asked by places and tickets count as those that are asked by name', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      let now = 1_000_000
      const clock = { now: () => now, after: () => () => {}, breathe: () => Promise.resolve() }
      const near = makeMemoryCounters({ clock, sweep: false })
      const byName = makeMemoryCounters({ clock, sweep: false })
      const fresh = (): CounterPlaces => ({ row: -1, rate: -1, quota: -1, stay: newStay() })
      const places = names.map(fresh)
      for (const { name: at, kind, places: told } of steps) {
        const name = names[at] as string
        const own = places[at] as CounterPlaces
        if (kind === 'key is written anew') places[at] = fresh()
        if (kind === 'reset') for (const counters of [near, byName]) counters.resetQuotas([name])
        if (kind === 'wait') {
          now += 100_000
          for (const counters of [near, byName]) {
            for (const table of counters.sweepables) table.sweepSlice(100, now)
          }
        }
        if (!kind.startsWith('ask') && kind !== 'look') continue
        const amount = kind === 'look' ? 0 : 1
        const ticket = kind === 'ask without a ticket' ? noTicket : ticketOf(own.stay, 7)
        // As for the rate of an endpoint: a counter of its own, for which the key's ticket does not stand.
        const given = kind === 'ask without places' ? undefined : (places[told ?? at] as CounterPlaces)
        const asked = given === undefined ? `${name} of an endpoint` : name
        expect(near.take(asked, rate, amount, given, ticket)).toEqual(byName.take(asked, rate, amount))
        expect(near.spend(asked, quota, amount, given, ticket)).toEqual(byName.spend(asked, quota, amount))
      }
      for (const name of names) expect(near.readQuota(name)).toEqual(byName.readQuota(name))
    }),
    { numRuns: 1500 },
  )
})
