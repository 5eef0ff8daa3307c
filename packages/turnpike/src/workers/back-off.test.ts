import { expect, test } from 'vitest'
import { makeBackOff } from './back-off.ts'

test('a worker that exits early doubles the delay, up to 10 s', () => {
  const backOff = makeBackOff()
  const waits = Array.from({ length: 9 }, () => backOff.nextDelay(50))
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
})

test('a worker that lived for half a minute resets the delay', () => {
  const backOff = makeBackOff()
  backOff.nextDelay(50)
  backOff.nextDelay(50)
  expect([backOff.nextDelay(30_000), backOff.nextDelay(50)]).toEqual([100, 200])
})
