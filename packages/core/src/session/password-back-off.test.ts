import { expect, it } from 'vitest'
import { PasswordBackOff } from './password-back-off.ts'

it('pauses longer after each wrong password beyond the tenth, and ends with the right one', () => {
  let now = 0
  const backOff = new PasswordBackOff({ now: () => now })
  const guess = (isRight: boolean) => backOff.settle('anna', isRight)
  for (let i = 0; i < 10; i++) {
    expect(backOff.isBlocked('anna')).toBe(false)
    guess(false)
  }
  for (const pauseMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    now += pauseMs - 1
    expect(backOff.isBlocked('anna')).toBe(true)
    expect(backOff.isBlocked('bert')).toBe(false)
    now += 1
    expect(backOff.isBlocked('anna')).toBe(false)
    guess(false)
  }
  guess(true)
  expect(backOff.isBlocked('anna')).toBe(false)
})

it('forgets wrong passwords after ten minutes', () => {
  let now = 0
  const backOff = new PasswordBackOff({ now: () => now })
  for (let i = 0; i < 30; i++) backOff.settle('anna', false)
  now = 600_000
  backOff.settle('anna', false)
  expect(backOff.isBlocked('anna')).toBe(false)
})
