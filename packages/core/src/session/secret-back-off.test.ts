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
  it('are answered at once, twenty times', async () => {
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
    const day = 86_400
    for (let second = 0; second < day; second++) {
      void guess(`wrong ${second}`)
      await advance(1000)
    }
    expect(checked.length).toBeLessThan(20 + day / 30 + 20)
    expect(retryAfter(await guess('right'))).toBeGreaterThan(2)
    await advance(30_000)
    expect(await guess('right')).toBe('right')
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

  it('are forgotten after ten minutes, and after the right one', async () => {
    const { guess, wrong, advance } = setUp()
    await wrong(20)
    await advance(600_000)
    expect(await guess('right')).toBe('right')
    await wrong(19)
    expect(await guess('right')).toBe('right')
    await wrong(19)
    expect(await guess('right')).toBe('right')
  })
})
