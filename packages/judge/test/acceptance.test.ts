/**
 * One command without code finds known mistakes of gateways that others have written, and nothing in correct ones. The
 * seeded bugs of the testkit are in seeded-bugs.test.ts. With TURNPIKE_JUDGE_LONG=1 (`npm run judge-acceptance`) the long
 * forms run as well.
 */
import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { closePrograms, startHaproxy, startNginx, startTraefik, without } from './support/programs.ts'
import { runBuilt } from './support/run-built.ts'
import { limiters, startTurnpike } from './support/turnpike.ts'

const isLong = process.env['TURNPIKE_JUDGE_LONG'] === '1'
const seconds = isLong ? '180' : '30'
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  closePrograms()
  await Promise.all(closing.map((close) => close()))
})

const key = ['--key-header', 'X-Key', '--seed', '1']
const title = (text: string, why: string | undefined) => (why === undefined ? text : `${text}, not run: ${why}`)

/** Expects that nothing is found, not even once. */
async function expectNothing(url: string, ...args: readonly string[]): Promise<string> {
  const { code, out, err } = await runBuilt(url, '--seconds', seconds, ...args)
  expect(out).toContain('0 findings')
  expect(out).not.toContain('seen once')
  expect([code, err]).toEqual([0, expect.not.stringContaining('error')])
  return out
}

async function expectFinding(finding: RegExp, url: string, ...args: readonly string[]): Promise<void> {
  const { code, out } = await runBuilt(url, ...args)
  expect(out).toMatch(finding)
  expect(out).toContain('seen in 3 of 3 repetitions alone')
  expect(code).toBe(1)
}

describe.concurrent('a known mistake is found', () => {
  const withoutNginx = without('nginx', 'apt-get install nginx')
  it.skipIf(withoutNginx)(title('nginx truncates 7r/m to 6.96r/m', withoutNginx), async () => {
    const url = await startNginx({ seven: { rate: '7r/m' } })
    const rejected = /\(pace\): at 8[56]\d\d ms the request is rejected; a token bucket with room for 1 admits it/
    await expectFinding(rejected, `${url}/seven`, '--limit', '7/1m', '--burst', '1', '--seconds', '70', ...key)
  })
  it.skipIf(withoutNginx || !isLong)(
    title('nginx rejects 1r/m after 61 s', withoutNginx ?? (isLong ? undefined : 'long')),
    { timeout: 900_000 },
    async () => {
      const url = await startNginx({ one: { rate: '1r/m' } })
      const rejected = /: at 6[01]\d\d\d ms the request is rejected; a token bucket with room for 1 admits it/
      await expectFinding(rejected, `${url}/one`, '--limit', '1/1m', '--burst', '1', '--seconds', '700', ...key)
    },
  )

  // Not in Debian: never required, also not in CI.
  const withoutTraefik = without('traefik', 'https://doc.traefik.io/traefik/getting-started/install-traefik/', {
    argument: 'version',
    inDebian: false,
  })
  it.skipIf(withoutTraefik)(title('Traefik forgets buckets', withoutTraefik), async () => {
    const url = await startTraefik({ average: 2, period: '1s', burst: 20 })
    const tooMany = /\((calm|rest-then-burst|drawn)\): at \d+ ms .*admitted/
    await expectFinding(tooMany, url, '--limit', '20/10s', '--burst', '20', '--seconds', '90', ...key)
  })
})

describe.concurrent('a correct gateway has no finding', () => {
  const withoutNginx = without('nginx', 'apt-get install nginx')
  it.skipIf(withoutNginx)(title('nginx at 10r/s', withoutNginx), async () => {
    const url = await startNginx({ plain: { rate: '10r/s' } })
    await expectNothing(`${url}/plain`, '--limit', '10/1s', ...key)
  })
  it.skipIf(withoutNginx)(title('nginx at 10r/s with room for bursts', withoutNginx), async () => {
    const url = await startNginx({ burst: { rate: '10r/s', more: 'burst=9 nodelay' } })
    await expectNothing(`${url}/burst`, '--limit', '10/1s', '--burst', '10', ...key)
  })
  it.skipIf(withoutNginx)(title('nginx at 10r/s that delays requests', withoutNginx), async () => {
    const url = await startNginx({ delay: { rate: '10r/s', more: 'burst=9' } })
    const out = await expectNothing(`${url}/delay`, '--limit', '10/1s', ...key, '--seconds', '15')
    expect(out).toContain('kind: leaky bucket that delays requests (sure')
  })

  const withoutHaproxy = without('haproxy', 'apt-get install haproxy')
  it.skipIf(withoutHaproxy)(title('HAProxy as documented', withoutHaproxy), async () => {
    const url = await startHaproxy({ count: 10, period: '2s' })
    await expectNothing(url, '--limit', '10/2s', ...key)
  })

  it('@fastify/rate-limit with its defaults', async () => {
    const app = fastify()
    await app.register(rateLimit, { max: 10, timeWindow: '2 seconds' })
    app.get('/orders', () => 'ok')
    closing.push(() => app.close())
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    await expectNothing(`${url}/orders`, '--limit', '10/2s', '--by-address', '--seed', '1')
  })

  it.each(limiters)('Turnpike, %s', async (limiter) => {
    const { url, keys } = await startTurnpike(limiter, { rate: 10, per: 2 }, closing)
    await expectNothing(url, '--limit', '10/2s', '--key-header', 'Authorization', '--keys', keys, '--seed', '1')
  })
})
