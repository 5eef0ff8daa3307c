/** What must not compile, and what types come out. The functions are never called: the compiler is the test. */
import { expect } from 'vitest'
import {
  engineKeys,
  expectLaw,
  headersLaw,
  httpSubject,
  keysLaw,
  makeFakeUpstream,
  makeVirtualClock,
  type RateSubject,
  recordedQuota,
  recordedRate,
  rollingLogLaw,
  runInRealTime,
  soundRun,
} from './index.ts'
import './matchers/matchers.ts'

const rate: RateSubject = recordedRate('rolling')

export const right = [
  () => expectLaw(rollingLogLaw, rate, { seed: 1 }),
  () => expectLaw(keysLaw, engineKeys('keys')),
  () => soundRun(headersLaw, rate).run({ requests: 10 }),
  () => makeFakeUpstream(makeVirtualClock(), ({ index }) => ({ status: 200 + index, breakOff: true })),
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
  // @ts-expect-error: in which window?
  () => expect([]).toAdmitAtMost(1).toBe(1),
]
