import { makeVirtualClock } from '@turnpike/testkit'
import { expect, test } from 'vitest'
import { Deadlines, rewatch, type Timed, unwatch } from './deadlines.ts'

function entry(name: string, expired: string[]): Timed {
  return {
    timedQueue: undefined,
    timedBefore: undefined,
    timedAfter: undefined,
    timedSince: 0,
    expire: () => expired.push(name),
  }
}

function setUp() {
  const clock = makeVirtualClock()
  const expired: string[] = []
  const deadlines = new Deadlines(clock)
  const watch = (name: string, delayMs: number) => {
    const timed = entry(name, expired)
    deadlines.watch(timed, delayMs)
    return timed
  }
  return { clock, expired, deadlines, watch }
}

test('each entry expires once, after its own timeout', async () => {
  const { clock, expired, watch } = setUp()
  watch('a', 1000)
  await clock.advance(400)
  watch('b', 1000)
  watch('short', 100)
  await clock.advance(100)
  expect(expired).toEqual(['short'])
  await clock.advance(499)
  expect(expired).toEqual(['short'])
  await clock.advance(1)
  expect(expired).toEqual(['short', 'a'])
  await clock.advance(400)
  expect(expired).toEqual(['short', 'a', 'b'])
  await clock.advance(10_000)
  expect(expired).toHaveLength(3)
})

test('rewatch restarts the timeout', async () => {
  const { clock, expired, watch } = setUp()
  const [first] = [watch('a', 1000), watch('b', 1000)]
  for (let i = 0; i < 5; i++) {
    await clock.advance(900)
    rewatch(first)
  }
  expect(expired).toEqual(['b'])
  await clock.advance(1000)
  expect(expired).toEqual(['b', 'a'])
})

test('unwatched entries never expire, at any position in the queue', async () => {
  const { clock, expired, watch } = setUp()
  const all = ['a', 'b', 'c', 'd'].map((name) => watch(name, 500))
  for (const at of [1, 3, 0]) unwatch(all[at] as Timed)
  unwatch(all[0] as Timed)
  rewatch(all[1] as Timed)
  await clock.advance(1000)
  expect(expired).toEqual(['c'])
})

test('a timeout of 0 never expires', async () => {
  const { clock, expired, watch } = setUp()
  watch('never', 0)
  await clock.advance(1e9)
  expect(expired).toEqual([])
})

test('an entry that is watched with another timeout leaves its old queue', async () => {
  const { clock, expired, deadlines, watch } = setUp()
  const timed = watch('a', 100)
  deadlines.watch(timed, 1000)
  await clock.advance(999)
  expect(expired).toEqual([])
  await clock.advance(1)
  expect(expired).toEqual(['a'])
})

test('an entry expires within its timeout after the clock was set back', async () => {
  const { clock, expired, watch } = setUp()
  watch('a', 1000)
  await clock.advance(500)
  clock.set(clock.now() - 3_600_000)
  await clock.advance(2100)
  expect(expired).toEqual(['a'])
})
