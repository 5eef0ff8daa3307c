import { expect, it } from 'vitest'
import { PasswordBackOff } from './password-back-off.ts'

function makeBackOff() {
  const state = { now: 0 }
  const backOff = new PasswordBackOff({ now: () => state.now })
  const from = (address: string, user = 'anna') => ({
    isBlocked: () => backOff.isBlocked({ user, address }),
    guess: (isRight = false) => backOff.settle({ user, address }, isRight),
  })
  return { state, from }
}

it('pauses longer after each wrong password beyond the tenth, from any address', () => {
  const { state, from } = makeBackOff()
  for (let i = 0; i < 10; i++) {
    expect(from('10.0.0.1').isBlocked()).toBe(false)
    from(`10.0.1.${i}`).guess()
  }
  for (const pauseMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    state.now += pauseMs - 1
    expect(from('10.0.0.1').isBlocked()).toBe(true)
    expect(from('10.0.0.1', 'bert').isBlocked()).toBe(false)
    state.now += 1
    expect(from('10.0.0.1').isBlocked()).toBe(false)
    from('10.0.0.1').guess()
  }
})

it('ends with the right password for its address only', () => {
  const { state, from } = makeBackOff()
  for (let i = 0; i < 6; i++) from('10.0.0.1').guess()
  for (let i = 0; i < 6; i++) from('10.0.0.2').guess()
  state.now = 4000
  from('10.0.0.1').guess(true)
  expect([from('10.0.0.1').isBlocked(), from('10.0.0.2').isBlocked()]).toEqual([false, false])
  for (let i = 0; i < 4; i++) from('10.0.0.2').guess()
  expect([from('10.0.0.1').isBlocked(), from('10.0.0.2').isBlocked()]).toEqual([false, true])
})

it('counts wrong passwords from an address where the right one was used on their own, for an hour', () => {
  const { state, from } = makeBackOff()
  from('2001:db8::1').guess(true)
  for (let i = 0; i < 10; i++) from('2001:db8::2').guess()
  expect([from('2001:db8::3').isBlocked(), from('10.0.0.2').isBlocked()]).toEqual([true, false])
  state.now = 3_600_000
  for (let i = 0; i < 10; i++) from('10.0.0.2').guess()
  expect(from('2001:db8::1').isBlocked()).toBe(true)
})

it('forgets wrong passwords after ten minutes', () => {
  const { state, from } = makeBackOff()
  for (let i = 0; i < 30; i++) from('10.0.0.1').guess()
  state.now = 600_000
  from('10.0.0.1').guess()
  expect(from('10.0.0.1').isBlocked()).toBe(false)
})
