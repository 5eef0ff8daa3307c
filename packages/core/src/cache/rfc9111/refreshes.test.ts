import { expect, it } from 'vitest'
import { makeRefreshes } from './refreshes.ts'

it('one refresh of a key runs at a time, and a bounded number of all keys', () => {
  const refreshes = makeRefreshes(2)
  expect([refreshes.tryStart('a'), refreshes.tryStart('a'), refreshes.tryStart('b')]).toEqual([true, false, true])
  expect(refreshes.tryStart('c')).toBe(false)
  refreshes.finish('a')
  expect([refreshes.tryStart('c'), refreshes.tryStart('a')]).toEqual([true, false])
})
