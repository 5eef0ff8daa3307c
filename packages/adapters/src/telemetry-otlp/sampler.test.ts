import { expect, it } from 'vitest'
import { makeSampler } from './sampler.ts'

/** A trace id whose random bits (W3C Trace Context level 2) are these 14 digits. */
const withBits = (digits: string) => `0123456789abcdef01${digits}`

it.each([
  [0.5, '80000000000000', '7fffffffffffff'],
  [0.01, 'fd70a3d70a3d80', 'fd70a3d70a3cff'],
  [1 / 16, 'f0000000000000', 'efffffffffffff'],
])('a ratio of %d records the highest ids', (rate, recorded, dropped) => {
  const isSampled = makeSampler({ type: 'TraceIDRatioBased', rate, parentBased: false })
  expect([isSampled(withBits(recorded), undefined), isSampled(withBits(dropped), undefined)]).toEqual([true, false])
})

it('the ratios 0 and 1 record nothing and everything', () => {
  const decide = (rate: number, digits: string) =>
    makeSampler({ type: 'TraceIDRatioBased', rate, parentBased: false })(withBits(digits), undefined)
  expect([decide(0, 'ffffffffffffff'), decide(1e-18, 'ffffffffffffff')]).toEqual([false, false])
  expect([decide(1, '00000000000000'), decide(1, 'ffffffffffffff')]).toEqual([true, true])
})
