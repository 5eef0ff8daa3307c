import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeVirtualClock } from '@turnpike/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Reply = { readonly status?: number; readonly body?: string; readonly headers: OutgoingHttpHeaders }

/** A gateway and an upstream on sockets, with the clock of a test. */
async function start(reply: (request: IncomingMessage, index: number) => Reply) {
  const requests: IncomingMessage[] = []
  const upstream: Server = createServer((request, response) => {
    const { status = 200, body = `hit ${requests.length}`, headers } = reply(request, requests.length)
    requests.push(request)
    // The clock of the test is not the system's.
    response.sendDate = false
    response.writeHead(status, headers).end(status === 304 ? '' : body)
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  closers.push(() => upstream.close())
  closers.push(() => upstream.closeAllConnections())
  const target = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`
  const clock = makeVirtualClock()
  const more = { cache_mode: 'rfc9111', cache_options: { enable_cache: true } }
  const gateway = await createGateway({
    clock,
    log: 'silent',
    config: { front_end: 'node' },
    definitions: [defineApi({ id: 'c', target, open: true, more })],
  })
  closers.push(() => gateway.close(0))
  const { url } = await gateway.listen(0, '127.0.0.1')
  const get = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/c/x`, { headers })
    return { status: response.status, text: await response.text(), headers: Object.fromEntries(response.headers) }
  }
  return { clock, get, requests }
}

describe('cache_mode rfc9111 of a started gateway', () => {
  it('obeys CDN-Cache-Control before Cache-Control', async () => {
    const { get, requests } = await start(() => ({
      headers: { 'cdn-cache-control': 'max-age=60', 'cache-control': 'no-store' },
    }))
    await get()
    expect(await get()).toMatchObject({ text: 'hit 0', headers: { 'x-svc-cached-response': '1' } })
    expect(requests).toHaveLength(1)
  })

  it('ignores an Age that is not an integer, and distrusts such a max-age', async () => {
    for (const [headers, count] of [
      [{ 'cache-control': 'max-age=60', age: '90.0' }, 1],
      [{ 'cache-control': 'max-age=60.0' }, 2],
    ] as const) {
      const { get, requests } = await start(() => ({ headers }))
      await get()
      await get()
      expect(requests, JSON.stringify(headers)).toHaveLength(count)
    }
  })

  it('updates the stored headers from a 304', async () => {
    const { clock, get, requests } = await start((_, index) => ({
      status: index === 0 ? 200 : 304,
      headers: { etag: '"a"', 'cache-control': 'max-age=10', 'x-n': index },
    }))
    await get()
    await clock.run(11_000)
    for (let i = 0; i < 2; i++) expect(await get()).toMatchObject({ text: 'hit 0', headers: { 'x-n': '1' } })
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"a"'])
  })

  it('serves a stale response while a background request refreshes it, and instead of an error', async () => {
    const { clock, get, requests } = await start((_, index) => ({
      status: index === 2 ? 503 : 200,
      headers: { 'cache-control': 'max-age=10, stale-while-revalidate=5, stale-if-error=60' },
    }))
    await get()
    await clock.run(12_000)
    expect((await get()).text).toBe('hit 0')
    await expect.poll(async () => (await get()).text).toBe('hit 1')
    expect(requests).toHaveLength(2)
    await clock.run(30_000)
    expect(await get()).toMatchObject({ status: 200, text: 'hit 1' })
    expect(requests).toHaveLength(3)
  })

  it('combines parts, and serves ranges from what it has', async () => {
    const text = '0123456789'
    const { get, requests } = await start(({ headers: { range = '' } }) => {
      const [, first = 0, last = 9] = (/^bytes=(\d+)-(\d+)$/.exec(range) ?? []).map(Number)
      const headers = { etag: '"a"', 'cache-control': 'max-age=60', 'content-range': `bytes ${first}-${last}/10` }
      return { status: 206, body: text.slice(first, last + 1), headers }
    })
    expect(await get({ range: 'bytes=0-5' })).toMatchObject({ status: 206, text: '012345' })
    expect(await get({ range: 'bytes=4-9' })).toMatchObject({ status: 206, text: '456789' })
    expect(await get()).toMatchObject({ status: 200, text, headers: { 'content-length': '10' } })
    expect(await get({ range: 'bytes=-3' })).toMatchObject({ status: 206, text: '789' })
    expect(requests).toHaveLength(2)
  })
})
