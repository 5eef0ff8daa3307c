/** Trailers through a whole gateway with sockets at both ends: HTTP/1.1 and HTTP/2 in front, HTTP/1.1 behind. */
import { createServer } from 'node:http'
import { connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { rawExchange } from '@turnpike/testkit/suites/http-wire/raw-exchange'
import { hasResponse, readResponses, wireHeader } from '@turnpike/testkit/suites/http-wire/wire-responses'
import { createGateway, defineApi, type GatewayOptions } from 'turnpike'
import { afterEach, describe, expect, it } from 'vitest'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Seen {
  readonly body: string
  readonly trailers: readonly string[]
  readonly headers: Readonly<Record<string, unknown>>
}

/** An upstream that responds with what gRPC would: the outcome behind the body. */
async function makeUpstream() {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push({ body, trailers: request.rawTrailers, headers: request.headers })
      response.writeHead(200, { trailer: 'grpc-status, grpc-message, content-type' })
      if (request.url !== '/empty') response.write('abc')
      response.addTrailers({ 'grpc-status': '5', 'grpc-message': 'not here', 'set-cookie': 'evil=1' })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { seen, target: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function makeSetup(options: GatewayOptions, more: object = {}) {
  const { seen, target } = await makeUpstream()
  const gateway = await createGateway({
    log: 'silent',
    definitions: [defineApi({ id: 'open', target, open: true, ...more })],
    ...options,
  })
  cleanups.push(() => gateway.close())
  const { port } = await gateway.listen(0)
  return { seen, port }
}

const post = (more = '') =>
  `POST /open/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTE: trailers\r\nTrailer: X-Sum\r\n${more}\r\n` +
  '2\r\nup\r\n0\r\nX-Sum: 12\r\nAuthorization: forged\r\n\r\n'

describe('trailers', () => {
  it.each(['http1', 'node'] as const)(
    'pass up and down between clients and upstreams of HTTP/1.1: %s',
    async (frontEnd) => {
      const { seen, port } = await makeSetup({ frontEnd })
      const [answer] = readResponses((await rawExchange(port, post(), { until: hasResponse, waitMs: 10_000 })).text)
      expect(answer).toMatchObject({ status: 200, body: 'abc', complete: true })
      expect(answer?.trailers).toEqual(['grpc-status: 5', 'grpc-message: not here'])
      expect(wireHeader(answer, 'trailer')).toBe('grpc-status, grpc-message')
      expect(wireHeader(answer, 'grpc-status')).toBeUndefined()
      expect(seen[0]).toMatchObject({
        body: 'up',
        trailers: ['x-sum', '12'],
        headers: { te: 'trailers', trailer: 'x-sum' },
      })
      expect(seen[0]?.headers).not.toHaveProperty('x-sum')
    },
  )

  it.each(['/open/x', '/open/empty'])('pass to a client of HTTP/2 and from it: %s', async (path) => {
    const { seen, port } = await makeSetup({
      config: { http_server_options: { enable_http2: true } },
    })
    const client = connect(`http://127.0.0.1:${port}`)
    cleanups.push(() => client.destroy())
    const told = await new Promise<unknown>((resolve, reject) => {
      const head = { ':method': 'POST', ':path': path, te: 'trailers', 'content-type': 'application/grpc' }
      const stream = client.request(head, { waitForTrailers: true })
      let text = ''
      let trailers: unknown
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '12' }))
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('trailers', (given) => {
        trailers = Object.fromEntries(Object.entries(given))
      })
      stream.on('error', reject)
      stream.on('close', () => resolve({ text, trailers }))
      stream.end('up')
    })
    const text = path === '/open/x' ? 'abc' : ''
    expect(told).toEqual({ text, trailers: { 'grpc-status': '5', 'grpc-message': 'not here' } })
    expect(seen[0]).toMatchObject({ body: 'up', trailers: ['x-sum', '12'], headers: { te: 'trailers' } })
  })

  it('take no place of a header that the gateway sets', async () => {
    const { seen, port } = await makeSetup({})
    await rawExchange(port, post('X-Sum: real\r\n'), { until: hasResponse, waitMs: 10_000 })
    expect(seen[0]).toMatchObject({ trailers: [], headers: { 'x-sum': 'real' } })
  })
})
