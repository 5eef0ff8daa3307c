import { describe, expect, it } from 'vitest'
import { type GuessVerdict, SecretBackOff } from './secret-back-off.ts'

function setUp(address = '192.0.2.1') {
  let now = 0
  let timers: { readonly at: number; readonly run: () => void }[] = []
  const after = (ms: number, run: () => void) => {
    timers.push({ at: now + ms, run })
    return () => {}
  }
  const guesses = new SecretBackOff({ now: () => now, after })
  const checked: string[] = []
  const guess = (given: string | undefined, from = address, subject = 'management') =>
    guesses.check({
      subject,
      address: from,
      given,
      isRight() {
        checked.push(String(given))
        return given === 'right'
      },
    })
  return {
    guess,
    checked,
    async advance(ms: number) {
      now += ms
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { run } of due) run()
      await Promise.resolve()
    },
    async wrong(count: number, from = address) {
      for (let i = 0; i < count; i++) await guess(`${from} ${now} ${i}`, from)
    },
  }
}

const retryAfter = (verdict: GuessVerdict) => (typeof verdict === 'string' ? 0 : verdict.retryAfterSeconds)

describe('wrong secrets', () => {
  it('are responded to at once, twenty times', async () => {
    const { guess, wrong } = setUp()
    await wrong(19)
    expect(await guess('wrong')).toBe('wrong')
  })

  it('then wait for their turn, and the right one too', async () => {
    const { guess, wrong, advance, checked } = setUp()
    await wrong(20)
    const before = checked.length
    const late = guess('right')
    expect(checked.length).toBe(before)
    await advance(50)
    expect(await late).toBe('right')
    expect(await guess('wrong')).toBe('wrong')
  })

  it('are not checked if the turn is far off, so that the number of guesses in a time is bounded', async () => {
    const { guess, advance, checked } = setUp()
    const seconds = 3600
    for (let tenth = 0; tenth < 10 * seconds; tenth++) {
      void guess(`wrong ${tenth}`)
      await advance(100)
    }
    expect(checked.length).toBeLessThan(20 + 41 + seconds)
    for (let i = 0; i < 3; i++) void guess(`late ${i}`)
    expect(retryAfter(await guess('right'))).toBeGreaterThan(2)
    await advance(10_000)
    const right = guess('right')
    await advance(1000)
    expect(await right).toBe('right')
  })

  it('do not stop the right one: if no other waits, it waits for a second at most', async () => {
    const { guess, advance } = setUp()
    for (let i = 0; i < 100; i++) {
      void guess(`wrong ${i}`)
      await advance(2000)
    }
    void guess('wrong')
    const verdict = guess('right')
    await advance(1000)
    expect(await verdict).toBe('right')
  })

  it.each(['192.0.2.1', '127.0.0.1'])('do not stop a right one that was right before (%s)', async (address) => {
    const { guess, wrong, advance, checked } = setUp(address)
    expect(await guess('right')).toBe('right')
    await wrong(20)
    for (let i = 0; i < 1000; i++) void guess(`at once ${i}`)
    expect(retryAfter(await guess('other'))).toBeGreaterThan(2)
    expect(await guess('right')).toBe('right')
    await advance(3_000)
    const before = checked.length
    for (let i = 0; i < 1000; i++) void guess(`later ${i}`)
    expect(checked.length - before).toBeLessThan(2)
  })

  it('are not checked because the right one is known from another address', async () => {
    const { guess, wrong, checked } = setUp()
    expect(await guess('right', '192.0.2.2')).toBe('right')
    await wrong(20)
    const before = checked.length
    void guess('right')
    expect(checked.length).toBe(before)
  })

  it('are checked one after the other if many come at once', async () => {
    const { guess, wrong, checked, advance } = setUp('127.0.0.1')
    await wrong(20)
    const verdicts: GuessVerdict[] = []
    for (let i = 0; i < 1000; i++) void guess(`at once ${i}`).then((verdict) => verdicts.push(verdict))
    await advance(0)
    const waiting = 1000 - verdicts.length
    expect(waiting).toBeLessThanOrEqual(41)
    expect(checked.length).toBe(20)
    await advance(2000)
    expect(checked.length).toBe(20 + waiting)
  })

  it('of other addresses and for other secrets do not count', async () => {
    const { guess, wrong } = setUp()
    await wrong(20, '192.0.2.1')
    expect(await guess('right', '192.0.2.2')).toBe('right')
    expect(await guess('right', '192.0.2.1', 'dashboard')).toBe('right')
  })

  it('of one IPv6 network count together', async () => {
    const { guess, checked } = setUp()
    for (let i = 0; i < 20; i++) await guess(`wrong ${i}`, `2001:db8::${i + 1}`)
    void guess('right', '2001:db8::ffff')
    expect(checked.length).toBe(20)
    expect(await guess('right', '2001:db8:0:1::1')).toBe('right')
  })

  it.each(['', '127.0.0.1', '::1', '::ffff:127.0.0.2'])('of this computer never lock it out (%j)', async (address) => {
    const { guess, advance } = setUp(address)
    for (let i = 0; i < 200; i++) {
      void guess(`wrong ${i}`)
      await advance(100)
    }
    const verdict = guess('right')
    await advance(50)
    expect(await verdict).toBe('right')
  })

  it('that repeat the last one, and missing ones, are no further guesses', async () => {
    const { guess } = setUp()
    for (let i = 0; i < 100; i++) expect(await guess('outdated')).toBe('wrong')
    for (let i = 0; i < 100; i++) expect(await guess(undefined)).toBe('wrong')
    expect(await guess('right')).toBe('right')
  })

  it('that two clients repeat in turn are responded to at once and let nobody wait', async () => {
    const { guess, wrong, advance } = setUp()
    await wrong(18)
    expect(await guess('outdated 1')).toBe('wrong')
    expect(await guess('outdated 2')).toBe('wrong')
    await advance(50)
    for (let i = 0; i < 100; i++) expect(await guess(`outdated ${1 + (i % 2)}`)).toBe('wrong')
    expect(await guess('right')).toBe('right')
  })

  it('become right when the secret changes', async () => {
    const backOff = new SecretBackOff({ now: () => 0, after: () => () => {} })
    const check = (isRight: boolean) =>
      backOff.check({ subject: 'management', address: '192.0.2.1', given: 'a', isRight: () => isRight })
    expect([await check(false), await check(true), await check(false)]).toEqual(['wrong', 'right', 'wrong'])
  })

  it('are forgotten after ten minutes', async () => {
    const { guess, wrong, advance } = setUp()
    await wrong(20)
    await advance(600_000)
    expect(await guess('right')).toBe('right')
  })

  it('are forgotten after the right one, unless it was known', async () => {
    const { guess, wrong, advance, checked } = setUp()
    await wrong(19)
    expect(await guess('right')).toBe('right')
    await advance(1)
    await wrong(19)
    expect(await guess('right')).toBe('right')
    expect(await guess('the twentieth')).toBe('wrong')
    const before = checked.length
    void guess('the next')
    expect(checked.length).toBe(before)
  })
})
