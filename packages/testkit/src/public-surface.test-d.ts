/** What must not compile, and what types come out. The functions are never called: the compiler is the test. */
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { expect } from 'vitest'
import {
  compatibleQuota,
  compatibleRate,
  engineKeys,
  expectProperty,
  keysProperty,
  makeFakeUpstream,
  makeVirtualClock,
  propertyRun,
  type RateSubject,
  remainingAndRetryProperty,
  rollingLogProperty,
  type StoreHarness,
  storeMutants,
  storeProperties,
  wrapHarness,
} from './index.ts'
import './matchers/matchers.ts'

const rate: RateSubject = compatibleRate('rolling')
const lab: StoreHarness = { name: 'mine', open: (clock) => ({ store: makeMemoryStore({ clock }), close: () => {} }) }

export const right = [
  () => expectProperty(rollingLogProperty, rate, { seed: 1 }),
  () => expectProperty(keysProperty, engineKeys('keys')),
  () => propertyRun(remainingAndRetryProperty, rate).run({ requests: 10 }),
  () => makeFakeUpstream(makeVirtualClock(), ({ index }) => ({ status: 200 + index, breakOff: true })),
  () => storeProperties(lab).map(({ run }) => run({ requests: 10, cases: 1 })),
  () => storeMutants(wrapHarness(lab, 'wrapped', (store, clock) => ({ ...store, clock }))),
  () =>
    expect([{ at: 0, allowed: true }])
      .toAdmitAtMost(1)
      .inAny(1000),
]

export const rejected = [
  // @ts-expect-error: a quota is no rate
  () => expectProperty(rollingLogProperty, compatibleQuota()),
  // @ts-expect-error: a subject says what it promises
  () => expectProperty(rollingLogProperty, { name: 'mine', make: rate.make }),
  // @ts-expect-error: no such algorithm
  () => compatibleRate('leaky'),
  // @ts-expect-error: a seed is a number
  () => expectProperty(rollingLogProperty, rate, { seed: '1' }),
  // @ts-expect-error: no such reason
  () => makeFakeUpstream(makeVirtualClock(), () => ({ failure: 'tired' })),
  // @ts-expect-error: a harness must provide `close`
  () => storeProperties({ name: 'mine', open: (clock) => ({ store: makeMemoryStore({ clock }) }) }),
  // @ts-expect-error: a store goes by the clock it is given, which can be set; the time is no date
  () => storeProperties({ ...lab, moveTo: (now: Date) => now }),
  // @ts-expect-error: in which window?
  () => expect([]).toAdmitAtMost(1).toBe(1),
]
