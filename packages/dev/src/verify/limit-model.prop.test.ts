/** Tests that the model of a limit has the properties that packages/testkit/src/properties requires of stores. */
import type { RateAlgorithm } from '@turnpike/core/ports'
import {
  compatibleRate,
  expectProperty,
  fixedWindowProperty,
  nonInterferenceProperty,
  noStarvationProperty,
  type RateSubject,
  rollingLogProperty,
  timeProperty,
} from '@turnpike/testkit'
import { describe, it } from 'vitest'
import { makeMeter } from './limit-model.ts'

/** Creates meters with integer rates, because guarantees are stated for those. */
function meters(kind: RateAlgorithm): RateSubject {
  const { traits } = compatibleRate(kind)
  return {
    name: `the meter "${kind}"`,
    traits,
    make({ rate, per }) {
      const byKey = new Map<string, ReturnType<typeof makeMeter>>()
      const amount = { count: traits.most(rate), seconds: traits.windowMs(per) / 1000 }
      return {
        take(key, at) {
          const meter = byKey.get(key) ?? makeMeter(kind, false)
          byKey.set(key, meter)
          if (amount.count < 1) return { allowed: false, remaining: 0, resetAt: at }
          const { allowed, used } = meter.consume(at, amount)
          return { allowed, remaining: Math.max(0, amount.count - used - 1), resetAt: at }
        },
      }
    },
  }
}

const run = { requests: 3000, seed: 1 }

describe('the model of a limit keeps', () => {
  it('property 1', () => expectProperty(rollingLogProperty, meters('rolling'), run))
  it.each(['fixed', 'local'] as const)('property 2 (%s)', (kind) =>
    expectProperty(fixedWindowProperty, meters(kind), run),
  )
  it.each(['fixed', 'local', 'rolling', 'sentinel'] as const)('properties 6, 8 and 9 (%s)', async (kind) => {
    for (const property of [noStarvationProperty, nonInterferenceProperty, timeProperty])
      await expectProperty(property, meters(kind), run)
  })
})
