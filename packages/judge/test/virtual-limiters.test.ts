/** `judgeLimiter` accuses no correct limiter, and finds the planted mistakes, at three settings. */
import { describe, expect, it } from 'vitest'
import { judgeLimiter, type LimiterToJudge } from '../../testkit/src/judge-limiter.ts'
import { makeVirtualClock } from '../../testkit/src/virtual-clock.ts'
import * as limiters from './support/limiters.ts'
import { mistakes } from './support/mistakes.ts'

const isLong = process.env['TURNPIKE_JUDGE_LONG'] === '1'
const settings = { '5/1s': [5, 1000], '100/10s': [100, 10_000], '1000/60s': [1000, 60_000] } as const
type Setting = keyof typeof settings
type Options = Partial<Pick<LimiterToJudge, 'limit' | 'kind' | 'burst' | 'block' | 'slack'>>

function judge(make: limiters.MakeLimiter, setting: Setting, options: Options = {}) {
  const clock = makeVirtualClock()
  const [count, periodMs] = settings[setting]
  return judgeLimiter({ limit: setting, clock, tryAcquire: make({ count, periodMs }, clock), ...options })
}

const bucketAndWindow = limiters.both(limiters.tokenBucket(), limiters.windowFromFirst())
const correct: Readonly<Record<string, readonly [limiters.MakeLimiter, Options?]>> = {
  'window from the first request': [limiters.windowFromFirst()],
  'window on a grid': [limiters.windowOnGrid],
  'rolling log': [limiters.rollingLog()],
  'rolling log that counts rejections': [limiters.rollingLog({ countsRejected: true })],
  'sliding counter': [limiters.slidingCounter()],
  'token bucket': [limiters.tokenBucket()],
  'token bucket, documented': [limiters.tokenBucket(), { kind: 'token-bucket' }],
  'bucket that is empty at first': [limiters.tokenBucket({ first: 0 })],
  spacing: [limiters.spacing()],
  'blocks for a period, log': [limiters.blocking()],
  'blocks for a period, window': [limiters.blocking({ isWindow: true })],
  'each rejection extends the block': [limiters.blocking({ isWindow: true, isExtended: true })],
  'bucket and window at once': [bucketAndWindow],
  'bucket and window at once, documented as bucket': [bucketAndWindow, { kind: 'token-bucket' }],
}

/** Within the bounds of every limiter, so that only what a documented kind says makes them mistakes. */
const undecided = [
  'a period that is 5 % too long',
  'a bucket that is filled 5 % too slowly',
  'the share of the window before is reversed',
  'blocks forever',
]

/** At larger limits, each run takes longer. TURNPIKE_JUDGE_LONG=1 runs them all. */
const samples = [
  ...['token bucket', 'one request more', 'two processes that count for themselves', 'never renewed'],
  ...['counts after it has waited', 'one key in eight has the counter of another one'],
]
/** A crowd that waits on the clock takes minutes there. */
const isTooSlow = (setting: Setting, name: string) => setting === '1000/60s' && name === 'counts after it has waited'
const cases = (setting: Setting, all: readonly string[]) => {
  const names = all.filter((name) => !isTooSlow(setting, name))
  return setting !== '5/1s' && !isLong ? names.filter((name) => samples.includes(name)) : names
}

describe.each(Object.keys(settings) as Setting[])('at %s', (setting) => {
  it.each(cases(setting, Object.keys(correct)))('%s has no finding', async (name) => {
    const [make, options] = correct[name] as (typeof correct)[string]
    const judgement = await judge(make, setting, options)
    expect(judgement.outcome, judgement.text).toBe('holds')
  })

  it.each(cases(setting, Object.keys(mistakes)))('%s is found, or undecided', async (name) => {
    const judgement = await judge(mistakes[name] as limiters.MakeLimiter, setting)
    const expected = undecided.includes(name) ? /^(broken|undecided)$/ : /^broken$/
    expect(judgement.outcome, judgement.text).toMatch(expected)
  })
})

it.each([
  ['one request more', /fits 6 in 1 s; documented are 5 in 1 s/],
  ['twice the requests', /fits 10 in 1 s.*looks like 2 processes/],
  ['two processes that count for themselves', /2 times the limit \(looks like 2 processes/],
  ['a period that is half as long again', /fits 5 in 1\.5 s/],
  ['never renewed', /the limit never renews/],
  ['no limit', /no request is rejected/],
  ['the share of the window before is reversed', /clients that stay below the rate are rejected/],
])('names the cause of "%s", once', async (name, cause) => {
  const { findings, text } = await judge(mistakes[name] as limiters.MakeLimiter, '5/1s')
  expect(
    findings.map((finding) => finding.cause),
    text,
  ).toEqual([expect.stringMatching(cause)])
})

it('accuses no log that counts up to a tenth of the period too long', async () => {
  // It rejects what a log of exactly this period admits, so it may be undecided.
  const judgement = await judge(limiters.coarseLog, '5/1s')
  expect(judgement.outcome, judgement.text).not.toBe('broken')
})

describe('options', () => {
  it('judges a block that is longer than a period if it is stated', async () => {
    const block = limiters.blocking({ block: 3, isWindow: true })
    const unstated = await judge(block, '5/1s')
    expect(unstated.undecided.join()).toContain('state --block')
    const stated = await judge(block, '5/1s', { block: '3s' })
    expect([stated.outcome, stated.kind.names], stated.text).toEqual([
      'holds',
      expect.arrayContaining(['fixed window that blocks a client for 3 s when it exceeds the limit']),
    ])
  })

  it('lets requests come early by a stated slack', async () => {
    const stated = await judge(limiters.spacing(50), '5/1s', { kind: 'spacing', slack: '50ms' })
    expect(stated.outcome, stated.text).toBe('holds')
  })

  it('judges two limits that hold at once', async () => {
    const two =
      (second: number): limiters.MakeLimiter =>
      (limit, clock) => {
        const slow = limiters.rollingLog()({ count: second, periodMs: 6000 }, clock)
        const quick = limiters.rollingLog()(limit, clock)
        return (key) => quick(key) === true && slow(key) === true
      }
    const limit = ['5/1s', '12/6s']
    const held = await judge(two(12), '5/1s', { limit })
    expect([held.outcome, held.limit], held.text).toEqual(['holds', '5 in 1 s and 12 in 6 s'])
    // A bucket may admit more than its room in a period, so the kind decides.
    const broken = await judge(two(13), '5/1s', { limit, kind: 'rolling-log' })
    expect(broken.outcome, broken.text).toBe('broken')
  })
})
