import { expect, it } from 'vitest'
import { GuessLimit } from './password-back-off.ts'

it('pauses longer after each wrong password beyond the tenth, and ends with the right one', () => {
  let now = 0
  const limit = new GuessLimit({ now: () => now })
  const guess = (isRight: boolean) => limit.settle('anna', isRight)
  for (let i = 0; i < 10; i++) {
    expect(limit.isBlocked('anna')).toBe(false)
    guess(false)
  }
  for (const pauseMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    now += pauseMs - 1
    expect(limit.isBlocked('anna')).toBe(true)
    expect(limit.isBlocked('bert')).toBe(false)
    now += 1
    expect(limit.isBlocked('anna')).toBe(false)
    guess(false)
  }
  guess(true)
  expect(limit.isBlocked('anna')).toBe(false)
})

it('forgets wrong passwords after ten minutes', () => {
  let now = 0
  const limit = new GuessLimit({ now: () => now })
  for (let i = 0; i < 30; i++) limit.settle('anna', false)
  now = 600_000
  limit.settle('anna', false)
  expect(limit.isBlocked('anna')).toBe(false)
})
