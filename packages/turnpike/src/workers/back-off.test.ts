import { expect, test } from 'vitest'
import { makeBackOff } from './back-off.ts'

test('who dies young waits twice as long each time, up to 10 s', () => {
  const backOff = makeBackOff()
  const waits = Array.from({ length: 9 }, () => backOff.nextDelay(50))
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
})

test('who lived for half a minute is replaced at once again', () => {
  const backOff = makeBackOff()
  backOff.nextDelay(50)
  backOff.nextDelay(50)
  expect([backOff.nextDelay(30_000), backOff.nextDelay(50)]).toEqual([100, 200])
})
