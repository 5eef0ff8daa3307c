import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wholeDocument } from '@turnpike/mgmt-api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { calls } from './generated/calls.ts'
import { makeClient } from './make-client.ts'
import { ManagementError, unwrap } from './result.ts'

interface Seen {
  readonly line: string
  readonly key: string | string[] | undefined
  readonly type: string | undefined
  readonly body: string
}

/** A server that answers all calls alike, and what it saw. */
async function makeServer(status: number, body: string, type = 'application/json') {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      const { headers } = request
      const key = headers['x-svc-authorization'] ?? headers['x-acme-authorization']
      seen.push({ line: `${request.method} ${request.url}`, key, type: headers['content-type'], body: text })
      response.writeHead(status, { 'content-type': type }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

describe('the client', () => {
  it('has every operation of the management API', () => {
    const operations = Object.values(wholeDocument().paths).flatMap((item) => Object.values(item))
    expect(Object.keys(calls)).toEqual(operations.map(({ operationId }) => operationId))
    expect(Object.keys(calls)).toContain('createKey')
  })

  it('fills in path, query, body and key', async () => {
    const { url, seen } = await makeServer(200, '{"key":"k","status":"ok","action":"added"}')
    const client = makeClient({ url: `${url}/`, secret: 'the key' })
    const added = await client.keys.addCustomKey({ name: 'a b/c', body: { org_id: 'o' }, suppress_reset: '1' })
    expect(added).toEqual({ ok: true, status: 200, value: { key: 'k', status: 'ok', action: 'added' } })
    expect(seen).toEqual([
      {
        line: 'POST /svc/keys/a%20b%2Fc?suppress_reset=1',
        key: 'the key',
        type: 'application/json',
        body: '{"org_id":"o"}',
      },
    ])
  })

  it('speaks the vendor word, and sends PEM and forms as such', async () => {
    const { url, seen } = await makeServer(200, '{}')
    const client = makeClient({ url, secret: 's', vendor: 'Acme' })
    await client.certs.addCertificate({ body: 'PEM', org_id: 'o' })
    expect(seen).toEqual([{ line: 'POST /acme/certs?org_id=o', key: 's', type: 'application/x-pem-file', body: 'PEM' }])
  })

  it('returns rejections as values with status and message', async () => {
    const { url } = await makeServer(404, '{"status":"error","message":"Key not found"}\n')
    const result = await makeClient({ url, secret: 's' }).keys.getKey({ name: 'k' })
    expect(result).toEqual({ ok: false, status: 404, message: 'Key not found' })
    expect(() => unwrap(result)).toThrow(new ManagementError({ ok: false, status: 404, message: 'Key not found' }))
  })

  it('returns a response that is not JSON as text', async () => {
    const { url } = await makeServer(404, '404 page not found\n', 'text/plain')
    const result = await makeClient({ url, secret: 's' }).keys.listKeys()
    expect(result).toEqual({ ok: false, status: 404, message: '404 page not found' })
  })

  it('reports a failed connection without a status', async () => {
    const result = await makeClient({ url: 'http://127.0.0.1:1', secret: 's' }).reload.reload()
    expect(result).toMatchObject({ ok: false, status: undefined })
    expect(result.ok ? '' : result.message).toMatch(/^no gateway responds at http:\/\/127\.0\.0\.1:1: /)
  })
})
