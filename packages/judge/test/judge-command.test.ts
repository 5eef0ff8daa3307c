/** The command against small gateways with and without mistakes. */
import { afterAll, describe, expect, it } from 'vitest'
import { closeSmallGateways, fixedWindow, runJudge, startSmallGateway } from './support/small-gateway.ts'

afterAll(closeSmallGateways)

const options = ['--limit', '5/1s', '--key-header', 'X-Key', '--seconds', '20']

describe.concurrent('turnpike judge', () => {
  it('finds nothing wrong with a fixed window', async () => {
    const url = await startSmallGateway(fixedWindow(5, 1000))
    const { code, out } = await runJudge(url, ...options)
    expect(out).toContain('kind: fixed window that starts with the first request of a client')
    expect([code, out]).toEqual([0, expect.stringContaining('0 findings')])
  })

  it('finds a window that counts too late, as short as possible', async () => {
    const url = await startSmallGateway(fixedWindow(5, 1000, 5))
    const { code, out } = await runJudge(url, ...options)
    expect(out).toMatch(/contradicts its documentation \(crowd\): at 0 ms of (\d+) concurrent requests \1 are admitted/)
    expect(out).toMatch(/seen in 3 of 3 repetitions alone/)
    expect(out).toMatch(/ 0 ms {2}\d requests at once .*<- here/)
    expect(code).toBe(1)
  })

  it('finds a server without a limit, and calls it so once', async () => {
    const url = await startSmallGateway(() => ({ admitted: true }))
    const { code, out } = await runJudge(url, ...options)
    expect(out.match(/contradicts its documentation/g)).toHaveLength(1)
    expect(code).toBe(1)
  })

  it('finds headers that do not count down', async () => {
    const limit = fixedWindow(5, 1000)
    const url = await startSmallGateway(async (key, now, request) => {
      const headers = { 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '4' }
      return { ...(await limit(key, now, request)), headers }
    })
    const { code, out } = await runJudge(url, ...options)
    expect(out).toMatch(/\(headers\): Remaining is 4, and after \d more admitted requests? 4/)
    expect(out).toContain('(headers): a request is rejected with 4 requests remaining')
    expect(code).toBe(1)
  })

  it.each([
    ['as written', 1, (url: string) => url],
    ['decoded', 0, (url: string) => new URL(url, 'http://x').searchParams.get('key') ?? ''],
  ])('compares percent-encoded spellings of a key in the query, %s', async (_, expected, keyOf) => {
    const limit = fixedWindow(5, 1000)
    const url = await startSmallGateway((__, now, request) => limit(keyOf(request.url ?? ''), now, request))
    const { code, out } = await runJudge(url, '--limit', '5/1s', '--key-query', 'key', '--seconds', '20')
    expect(out.includes('(key-spellings): at')).toBe(expected === 1)
    expect(out.includes('percent-encoded  <- here')).toBe(expected === 1)
    expect(code).toBe(expected)
  })

  it.each([
    [[], /name the URL to judge/],
    [['http://127.0.0.1:1/'], /name the limit to judge, such as --limit 10\/60s/],
    [['http://127.0.0.1:1/', '--limit', '5 per 2s'], /"5 per 2s" is not a limit; write COUNT\/PERIOD/],
    [['127.0.0.1:1/', '--limit', '5/2s'], /is not a URL; write http:\/\/HOST:PORT\/PATH/],
    [['http://127.0.0.1:1/', '--limit', '5/2s'], /127\.0\.0\.1:1\/ cannot be judged: connect ECONNREFUSED/],
    [['http://192.0.2.1/', '--limit', '5/2s'], /192\.0\.2\.1, not this machine.*--i-own-this-host/],
    [['http://127.0.0.1:1/', '--limit', '5/2s', '--rejected', 'many'], /These must be statuses such as 429/],
  ])('rejects %j', async (args, message) => {
    const { code, out, err } = await runJudge(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  })
})
