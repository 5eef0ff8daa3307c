import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CallTracer } from '@turnpike/core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { makeUndiciFetch, type UndiciFetch } from './undici-fetch.ts'

let server: Server
let fetch: UndiciFetch
afterEach(async () => {
  await fetch.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function serve(listener: RequestListener, options = {}): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fetch = makeUndiciFetch(options)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('fetch of documents', () => {
  it('returns status and body', async () => {
    const url = await serve((req, res) => res.writeHead(req.url === '/a?b' ? 200 : 404).end('text'))
    expect(await fetch.get(`${url}/a?b`)).toEqual({ status: 200, body: new TextEncoder().encode('text') })
    expect((await fetch.get(`${url}/c`)).status).toBe(404)
  })

  it('follows up to three redirects', async () => {
    const url = await serve((req, res) => {
      const n = Number(req.url?.slice(1))
      if (n === 0) res.end('here')
      else res.writeHead(302, { location: `/${n - 1}` }).end()
    })
    expect((await fetch.get(`${url}/3`)).status).toBe(200)
    await expect(fetch.get(`${url}/4`)).rejects.toThrow('too many redirects')
  })

  it('connects to public addresses only, after DNS resolution', async () => {
    const url = await serve((_req, res) => res.end('private'), { publicOnly: true })
    const { port } = new URL(url)
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0']) {
      await expect(fetch.get(`http://${host}:${port}/`), host).rejects.toThrow(/is not a public address/)
      await expect(fetch.postForm(`http://${host}:${port}/`, 'a=b'), host).rejects.toThrow(/is not a public address/)
    }
  })

  it('limits length and time', async () => {
    const url = await serve(
      (req, res) => {
        if (req.url === '/long') res.end('x'.repeat(2000))
      },
      { maxBytes: 1000, timeoutMs: 200 },
    )
    await expect(fetch.get(`${url}/long`)).rejects.toThrow('longer than 1000 bytes')
    await expect(fetch.get(`${url}/never`)).rejects.toThrow()
  })

  it('sends forms, with the same limits, and follows no redirect', async () => {
    const url = await serve(
      async (req, res) => {
        if (req.url === '/never') return
        let body = ''
        for await (const chunk of req) body += chunk
        const status = req.url === '/moved' ? 307 : 200
        res.writeHead(status, { location: '/' }).end(`${req.method} ${req.headers['content-type']} ${body}`)
      },
      { timeoutMs: 200 },
    )
    const { status, body } = await fetch.postForm(`${url}/`, 'a=1&b=2')
    expect([status, new TextDecoder().decode(body)]).toEqual([200, 'POST application/x-www-form-urlencoded a=1&b=2'])
    expect((await fetch.postForm(`${url}/moved`, 'a=1')).status).toBe(307)
    await expect(fetch.postForm(`${url}/never`, '')).rejects.toThrow()
    await expect(fetch.postForm('file:///etc/passwd', '')).rejects.toThrow('cannot fetch file: documents')
  })

  it('sends credentials with a form', async () => {
    const url = await serve((req, res) => res.end(req.headers.authorization ?? 'none'))
    const bodies = [fetch.postForm(url, 'a=1', { authorization: 'Basic eDp5' }), fetch.postForm(url, 'a=1')]
    const texts = (await Promise.all(bodies)).map(({ body }) => new TextDecoder().decode(body))
    expect(texts).toEqual(['Basic eDp5', 'none'])
  })

  it('reports calls to the span of the request, and sends its trace context', async () => {
    const url = await serve((req, res) => res.writeHead(203).end(req.headers['traceparent'] ?? 'none'), {
      timeoutMs: 500,
    })
    const ended: unknown[] = []
    const caller: CallTracer = {
      startCall({ method, origin, path }, headers) {
        headers.push('traceparent', '00-a-b-01')
        return { end: (status, error) => ended.push([method, origin, path, status, error]) }
      },
    }
    const bodies = [
      await fetch.get(`${url}/keys?a=b`, { caller }),
      await fetch.postForm(`${url}/token`, 'a=1', { caller }),
    ]
    expect(bodies.map(({ body }) => new TextDecoder().decode(body))).toEqual(['00-a-b-01', '00-a-b-01'])
    await expect(fetch.get('http://127.0.0.1:1/', { caller })).rejects.toThrow()
    expect(ended).toEqual([
      ['GET', url, '/keys', 203, undefined],
      ['POST', url, '/token', 203, undefined],
      ['GET', 'http://127.0.0.1:1', '/', 0, 'Error'],
    ])
  })

  it('supports http and https only', async () => {
    const url = await serve((_req, res) => res.writeHead(302, { location: 'file:///etc/passwd' }).end())
    await expect(fetch.get(url)).rejects.toThrow('cannot fetch file: documents')
    await expect(fetch.get('file:///etc/passwd')).rejects.toThrow('cannot fetch file: documents')
    await expect(fetch.get('nonsense')).rejects.toThrow()
  })
})
