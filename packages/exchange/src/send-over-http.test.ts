import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { makeRequest } from './client-messages.ts'
import { sendOverHttp } from './send-over-http.ts'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each(['/a/../b', '/a/./b?c=../d', '//x', '/%2e%2e/b', '/%zz', '/a\\b'])('sends %s unchanged', async (url) => {
  const base = await serve((request, response) => response.end(request.url))
  const { body } = await sendOverHttp(base)(makeRequest(url))
  expect(new TextDecoder().decode(body)).toBe(url)
  const { body: below } = await sendOverHttp(`${base}/p/`)(makeRequest(url))
  expect(new TextDecoder().decode(below)).toBe(`/p${url}`)
})

it('sends method, headers and body, and decodes the body of the response', async () => {
  const base = await serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host, 'content-length': length, 'x-a': a } = request.headers
    const seen = {
      method: request.method,
      isHost: `http://${host}` === base,
      length,
      a,
      body: `${Buffer.concat(chunks)}`,
    }
    response.writeHead(201, { 'Content-Encoding': 'gzip', 'X-B': ['1', '2'] }).end(gzipSync(JSON.stringify(seen)))
  })
  const headers = [
    ['X-A', '1'],
    ['Host', 'recorded.example'],
    ['X-A', '2'],
  ] as const
  const response = await sendOverHttp(base)(makeRequest('/', { method: 'PATCH', headers, body: Buffer.from('ü') }))
  expect(response.status).toBe(201)
  expect(response.headers.filter(([name]) => name === 'x-b')).toEqual([
    ['x-b', '1'],
    ['x-b', '2'],
  ])
  const seen = JSON.parse(new TextDecoder().decode(response.body))
  expect(seen).toEqual({ method: 'PATCH', isHost: true, length: '2', a: '1, 2', body: 'ü' })
})

it('rejects if there is no response in time', async () => {
  const base = await serve(() => undefined)
  await expect(sendOverHttp(base, { timeoutMs: 20 })(makeRequest('/'))).rejects.toThrow('no response within 20 ms')
})

it('rejects a base that is not an http URL', () => {
  expect(() => sendOverHttp('ftp://host')).toThrow('ftp://host is not an http or https URL')
})
