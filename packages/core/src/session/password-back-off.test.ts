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

it('runs one check of a network at a time after fifty wrong passwords of made-up users', async () => {
  const state = { now: 0 }
  const backOff = new PasswordBackOff({ now: () => state.now })
  const check = (user: string, address: string, isRight = false) => {
    let finish = () => {}
    const done = new Promise<boolean>((resolve) => {
      finish = () => resolve(isRight)
    })
    return { outcome: backOff.check({ user, address }, () => done).catch((cause: Error) => cause.message), finish }
  }
  const known = check('anna', '10.0.0.1', true)
  known.finish()
  await known.outcome
  for (let i = 0; i < 50; i++) {
    const guess = check(`user-${i}`, '10.0.0.1')
    guess.finish()
    expect(await guess.outcome).toBe(false)
  }
  const first = check('x', '10.0.0.1')
  expect(await check('y', '10.0.0.1').outcome).toBe('too many password checks wait')
  const others = [check('anna', '10.0.0.1', true), check('bert', '10.0.0.2', true)]
  for (const { finish } of others) finish()
  expect(await Promise.all(others.map(({ outcome }) => outcome))).toEqual([true, true])
  first.finish()
  expect(await first.outcome).toBe(false)
  state.now = 600_000
  const later = [check('x', '10.0.0.1'), check('y', '10.0.0.1')]
  for (const { finish } of later) finish()
  expect(await Promise.all(later.map(({ outcome }) => outcome))).toEqual([false, false])
})
