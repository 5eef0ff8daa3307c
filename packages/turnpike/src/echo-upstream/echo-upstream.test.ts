import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EchoUpstream, startEchoUpstream } from './echo-upstream.ts'

let upstream: EchoUpstream
beforeAll(async () => {
  upstream = await startEchoUpstream()
})
afterAll(() => upstream.close())

const ask = (path: string, init?: RequestInit) => fetch(upstream.url + path, init)

describe('the echo upstream', () => {
  test('responds with the request it got', async () => {
    const response = await ask('/a/b?x=1&x=2', { method: 'POST', body: 'hi', headers: { 'X-Own': 'v' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({
      method: 'POST',
      url: '/a/b?x=1&x=2',
      body: 'hi',
      headers: { 'x-own': 'v' },
      hit: 1,
    })
  })

  test('counts the requests of each path', async () => {
    await ask('/count')
    expect(await (await ask('/count?again')).json()).toMatchObject({ hit: 2 })
    expect(upstream.hits('/count')).toBe(2)
    expect(upstream.hits('/never')).toBe(0)
  })

  test('the query orders status, type, headers and body', async () => {
    const response = await ask(
      '/?status=418&type=text/plain&header=X-A:1&header=Set-Cookie:a=1&header=Set-Cookie:b=2&body=tea',
    )
    expect(response.status).toBe(418)
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(response.headers.get('x-a')).toBe('1')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.text()).toBe('tea')
  })

  test('the query orders delay and size', async () => {
    const startedAt = performance.now()
    const response = await ask('/?delay=50&bytes=200000')
    expect(performance.now() - startedAt).toBeGreaterThan(45)
    expect((await response.arrayBuffer()).byteLength).toBe(200_000)
  })

  test.each([204, 304])('a %i has no body', async (status) => {
    const response = await ask(`/?status=${status}`)
    expect(response.status).toBe(status)
    expect(await response.text()).toBe('')
  })

  test.each(['bytes=1000&break=10', 'body=abcdef&break=3', 'break=0', 'bytes=500000&break=400000'])(
    '%s breaks the response off',
    async (query) => {
      await expect(ask(`/?${query}`).then((response) => response.text())).rejects.toThrow()
    },
  )

  test('an occupied TCP port is an error', async () => {
    await expect(startEchoUpstream({ port: upstream.port })).rejects.toThrow(/EADDRINUSE/)
  })
})
