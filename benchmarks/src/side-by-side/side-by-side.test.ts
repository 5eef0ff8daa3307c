/** Each installed proxy forwards, requires the key, and limits: otherwise the comparison would not be fair. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { proxies } from './proxies.ts'
import { amplePerSecond, headersOf, modes, type ProxySubject, startProxy } from './proxy.ts'

// Proxies that are not in CI are compared with their documentation only where they are installed.
const installed = proxies.filter((proxy) => proxy.version() !== undefined)

describe('proxies of the comparison', () => {
  const server = createServer((_request, response) => response.end('ok'))
  let upstream = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const statuses = async (proxy: ProxySubject, perSecond: number, headers: Record<string, string>) => {
    const subject = await startProxy(proxy, upstream, 'limited', perSecond)
    try {
      const urls = Array.from({ length: 12 }, () => `${subject.url}/plain`)
      return await Promise.all(urls.map(async (url) => (await fetch(url, { headers })).status))
    } finally {
      await subject.stop()
    }
  }

  it('include the gateway and nginx', () => {
    expect(installed.map(({ name }) => name)).toEqual(expect.arrayContaining(['Turnpike', 'nginx', 'Fastify']))
  })

  it.each(installed.map((proxy) => [proxy.name, proxy] as const))(
    '%s limits requests with a key and rejects others',
    async (_name, proxy) => {
      expect(new Set(await statuses(proxy, amplePerSecond, headersOf('limited')))).toEqual(new Set([200]))
      expect(await statuses(proxy, 2, headersOf('limited'))).toContain(429)
      expect(await statuses(proxy, amplePerSecond, {})).not.toContain(200)
    },
  )

  it.each(proxies.map((proxy) => [proxy.name, proxy] as const))(
    '%s has a configuration for each mode',
    (_name, proxy) => {
      const texts = modes.map((mode) =>
        JSON.stringify(proxy.files({ port: 8080, upstream: '127.0.0.1:8090', mode, perSecond: 5 })),
      )
      for (const text of texts) expect(text).not.toMatch(/undefined|NaN/)
      if (proxy.name !== 'Fastify') expect(texts[0]).not.toBe(texts[1])
    },
  )
})
