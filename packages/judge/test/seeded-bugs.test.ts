/** One command finds the seeded bugs of the gateways of the testkit, and nothing in their correct forms. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { type FaultName, type LimiterKind, startLimitedGateway } from '../../testkit/src/http-gateways/http-gateways.ts'
import { runJudge } from './support/small-gateway.ts'

const rate = { count: 5, periodMs: 1000 }
const options = ['--limit', '5/1s', '--key-header', 'Authorization', '--seconds', '30', '--seed', '1']
const isLong = process.env['TURNPIKE_JUDGE_LONG'] === '1'
const batch = ['--batch', '/batch', '--batch-outside', 'internal/a']
const folder = mkdtempSync(join(tmpdir(), 'turnpike-judge-'))
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await Promise.all(closing.map((close) => close()))
})

async function judge(gateway: { fault?: FaultName; kind?: LimiterKind }, ...more: readonly string[]) {
  const { url, close } = await startLimitedGateway({ rate, headers: ['x-ratelimit', 'retry-after'], ...gateway })
  closing.push(close)
  return runJudge(`${url}/a`, ...options, ...more)
}

/** The bugs that the short form leaves out, because the same part of `judge` finds others. */
const tooMany = /\((crowd|calm|edge-pair|pace|rest-then-burst)\): at \d+ ms .*admitted/
const longForms: readonly [FaultName, RegExp, readonly string[]][] = [
  ['sentinel', tooMany, []],
  ['no-limit', tooMany, []],
  ['limit-5-percent-higher', tooMany, []],
  ['window-5-percent-shorter', /at \d+ ms the request is (admitted|rejected); a fixed window/, []],
  ['limit-one-less', /: at \d+ ms (the request is rejected|of 5 concurrent requests 4 are admitted)/, []],
  ['batch-not-counted', /\(batch\): at 0 ms of (\d+) concurrent requests \1 are admitted/, batch],
  ['remaining-0', /\(headers\): Remaining is 0, and \d+ more admitted requests? follow/, []],
  ['remaining-0-on-admitted', /\(headers\): Remaining is 0, and \d+ more admitted requests? follow/, []],
  ['key-collision', /\(neighbours\): client \S+, at \d+ ms the request is rejected/, []],
  ['key-prefix', /: (client \S+, )?at \d+ ms the request is rejected/, []],
  ['remaining-counts-up', /\(headers\): Remaining is \d, and after \d more admitted requests? \d/, []],
  [
    'retry-after-early',
    /\(headers\): a rejection says to retry after \d s, but a request \d+ ms later is rejected/,
    [],
  ],
]

describe.concurrent('a gateway of the testkit', () => {
  it.each<[FaultName, RegExp, readonly string[]]>([
    ['crowd', /\(crowd\): at 0 ms of (\d+) concurrent requests \1 are admitted/, []],
    ['renewal-crowd', /\(crowd-at-renewal\): at \d+ ms of (\d+) concurrent requests \1 are admitted/, []],
    ['forgets-after-rest', /\(calm|rest-then-burst\): at \d+ ms the request is admitted/, []],
    ['batch-counts-once', /\(batch\): at 0 ms of (\d+) concurrent requests \1 are admitted/, batch],
    ['batch-leaves-api', /\(batch\): a batch with the item \S+ reaches another API/, batch],
    ['key-spellings', /\(key-spellings\): at \d+ ms the request is admitted/, ['--spelling', 'acme.{key}']],
    [
      'retry-after-late',
      /\(headers\): a rejection says to retry after 1\d s, but a request \d+ ms later is admitted/,
      [],
    ],
    ['remaining-99', /\(headers\): Remaining is 99, documented is a limit of 5/, []],
    ...(isLong ? longForms : []),
  ])('with the bug %s', async (fault, expected, more) => {
    const { code, out } = await judge({ fault }, ...more)
    expect(out).toMatch(expected)
    expect(out).toContain('seen in 3 of 3 repetitions alone')
    expect(code).toBe(1)
  })

  it.each<LimiterKind>([
    'fixed-window',
    'window-from-first',
    'sliding-window',
    'rolling-log',
    'token-bucket',
    'leaky-bucket',
  ])('without a bug, %s', async (kind) => {
    // Its traces take as long as their requests are delayed, so this time is too short for all attacks.
    const isDelaying = kind === 'leaky-bucket'
    const more = isDelaying ? ['--seconds', '12'] : []
    const { code, out } = await judge({ kind }, ...batch, '--spelling', 'acme.{key}', ...more)
    const verdict = isDelaying ? 'undecided (the budget was too small for' : '0 findings'
    expect([code, out]).toEqual([isDelaying ? 3 : 0, expect.stringContaining(verdict)])
  })
})

it('writes a script that repeats the finding with curl, and JSON', async () => {
  const { url, close } = await startLimitedGateway({
    rate: { count: 2, periodMs: 1000 },
    fault: 'limit-5-percent-higher',
  })
  closing.push(close)
  const file = join(folder, 'repeat.sh')
  const { code, out } = await runJudge(
    `${url}/a`,
    ...['--limit', '2/1s', '--key-header', 'Authorization', '--seconds', '30', '--curl', file, '--json'],
  )
  expect(code).toBe(1)
  const report = JSON.parse(out) as { findings: { attack: string; curl: string }[] }
  expect(report.findings[0]).toMatchObject({ seen: 3, repeated: 3 })
  const { stdout } = await promisify(execFile)('bash', [file])
  expect(stdout).toContain('200 200 200')
})
