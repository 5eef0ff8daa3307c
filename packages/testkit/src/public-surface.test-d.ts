/** What must not compile, and what types come out. The functions are never called: the compiler is the test. */
import { makeMemoryStore } from '@turnpike/core'
import { expect } from 'vitest'
import {
  engineKeys,
  expectLaw,
  faultsOnStore,
  headersLaw,
  httpSubject,
  keysLaw,
  labAround,
  lawsOnStore,
  makeFakeUpstream,
  makeVirtualClock,
  type RateSubject,
  recordedQuota,
  recordedRate,
  rollingLogLaw,
  runInRealTime,
  type StoreLab,
  soundRun,
} from './index.ts'
import './matchers/matchers.ts'

const rate: RateSubject = recordedRate('rolling')
const lab: StoreLab = { name: 'mine', open: (clock) => ({ store: makeMemoryStore({ clock }), close: () => {} }) }

export const right = [
  () => expectLaw(rollingLogLaw, rate, { seed: 1 }),
  () => expectLaw(keysLaw, engineKeys('keys')),
  () => soundRun(headersLaw, rate).run({ requests: 10 }),
  () => makeFakeUpstream(makeVirtualClock(), ({ index }) => ({ status: 200 + index, breakOff: true })),
  () => lawsOnStore(lab).map(({ run }) => run({ requests: 10, cases: 1 })),
  () => faultsOnStore(labAround(lab, 'wrapped', (store, clock) => ({ ...store, clock }))),
  () =>
    expect([{ at: 0 }])
      .toAdmitAtMost(1)
      .inAny(1000),
]

export const refused = [
  // @ts-expect-error: a quota is no rate
  () => expectLaw(rollingLogLaw, recordedQuota()),
  // @ts-expect-error: a subject says what it promises
  () => expectLaw(rollingLogLaw, { name: 'mine', make: rate.make }),
  // @ts-expect-error: no such algorithm
  () => recordedRate('leaky'),
  // @ts-expect-error: a seed is a number
  () => expectLaw(rollingLogLaw, rate, { seed: '1' }),
  // @ts-expect-error: a gateway is asked at some address
  () => httpSubject({ name: 'mine', traits: rate.traits, headersOf: () => ({}) }),
  // @ts-expect-error: a subject on virtual time has no real time
  () => runInRealTime(rollingLogLaw, rate, rollingLogLaw.cases),
  // @ts-expect-error: no such fault
  () => makeFakeUpstream(makeVirtualClock(), () => ({ fault: 'tired' })),
  // @ts-expect-error: whoever opens a store closes it
  () => lawsOnStore({ name: 'mine', open: (clock) => ({ store: makeMemoryStore({ clock }) }) }),
  // @ts-expect-error: a store goes by the clock it is given, which can be set; the time is no date
  () => lawsOnStore({ ...lab, moveTo: (now: Date) => now }),
  // @ts-expect-error: in which window?
  () => expect([]).toAdmitAtMost(1).toBe(1),
]
