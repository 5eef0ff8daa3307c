/** Hostile requests to one process per front end: each is rejected, no response is lost, and no error escapes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { rawExchange } from '@turnpike/testkit/suites/http-wire/raw-exchange'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Folder, keyedApi, makeFolder, managementKey, openApi, sessionFor } from './support/folder.ts'
import { frontEnds } from './support/front-ends.ts'
import { type RunningGateway, startGateway } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

const limit = 10_000

describe.each(frontEnds)('a gateway with the %s front end', (frontEnd) => {
  let folder: Folder
  let upstream: RecordingUpstream
  let gateway: RunningGateway
  beforeAll(async () => {
    upstream = await startRecordingUpstream()
    folder = makeFolder({ front_end: frontEnd, http_server_options: { max_request_body_size: limit } })
    folder.write('apps/open.json', openApi('open', upstream.url))
    folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
    folder.write('policies/basic.json', { id: 'basic', org_id: 'acme', access_rights: { keyed: {} } })
    gateway = await startGateway(folder)
    await gateway.manage('POST', '/svc/keys/anna', sessionFor('keyed'))
  })
  afterAll(async () => {
    gateway.child.kill('SIGKILL')
    await gateway.ended
    await upstream.close()
    folder.remove()
  })
  afterEach(async () => {
    expect(gateway.isAlive()).toBe(true)
    const response = await fetch(`${gateway.url}/keyed/still`, { headers: { Authorization: 'anna' } })
    expect([response.status, await response.text()]).toEqual([200, 'ok'])
    upstream.forget()
  })

  describe('a body over the limit', () => {
    it('with Content-Length gets 413 before the upstream is called', async () => {
      const head = `POST /open/announced HTTP/1.1\r\nHost: a.test\r\nContent-Length: ${limit + 1}\r\n\r\n`
      const { text } = await rawExchange(gateway.port, head, { waitMs: 1_000, until: (it) => it.includes('\r\n\r\n') })
      expect(text).toMatch(/^HTTP\/1\.1 413 /)
      expect(upstream.seen).toEqual([])
    })

    it('that comes in chunks gets 413, and the upstream never takes it for whole', async () => {
      const status = await sendChunked(gateway.port, '/open/chunked', limit * 4)
      expect([413, 'broken off']).toContain(status)
      expect(upstream.seen.filter(({ complete }) => complete)).toEqual([])
    })

    it.each([limit, 0])('but one of %i bytes passes', async (bytes) => {
      const response = await fetch(`${gateway.url}/open/fits`, { method: 'POST', body: 'x'.repeat(bytes) })
      expect(response.status).toBe(200)
      expect(upstream.seen.map(({ body }) => body.length)).toEqual([bytes])
    })
  })

  describe('the management API', () => {
    const paths = [
      '/svc/keys/create',
      '/svc/keys/big',
      '/svc/apis',
      '/svc/policies',
      '/svc/org/keys/acme',
      '/svc/explain',
    ]

    it.each(paths)('rejects 50 MB at %s and stays small', { timeout: 20_000 }, async (path) => {
      const body = Buffer.alloc(50 * 1024 * 1024, 'x')
      expect([400, 413, 'broken off']).toContain(await manageRaw(gateway.port, path, body, 'announced'))
      expect([400, 413, 'broken off']).toContain(await manageRaw(gateway.port, path, body, 'chunked'))
      expect(memoryOf(gateway)).toBeLessThan(400)
    })

    it.each(paths)('rejects 100,000 levels at %s', async (path) => {
      const short = deep(4_000)
      const { status } = await gateway.manage('POST', path, short)
      expect([400, 413]).toContain(status)
      expect([400, 413, 'broken off']).toContain(
        await manageRaw(gateway.port, path, Buffer.from(deep(100_000)), 'announced'),
      )
    })

    it('lets __proto__ and constructor change nothing', async () => {
      const session = JSON.stringify(sessionFor('keyed')).replace(
        '{',
        '{"__proto__":{"is_inactive":true},"constructor":{"prototype":{"rate":1}},"meta_data":{"__proto__":{"polluted":1}},',
      )
      expect((await gateway.manage('POST', '/svc/keys/proto', session)).status).toBe(200)
      const { body } = await gateway.manage('GET', '/svc/keys/proto?org_id=acme')
      expect(JSON.stringify(body)).not.toContain('polluted')
      expect(body).not.toMatchObject({ is_inactive: true })
      const other = await fetch(`${gateway.url}/keyed/other`, { headers: { Authorization: 'proto' } })
      expect(other.status).toBe(200)
    })

    it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
      'knows no key, API or policy called %s',
      async (name) => {
        for (const path of ['/svc/keys/', '/svc/apis/', '/svc/policies/', '/svc/org/keys/']) {
          expect((await gateway.manage('GET', path + name)).status, path).toBe(404)
          expect((await gateway.manage('DELETE', path + name)).status, path).toBeGreaterThanOrEqual(400)
        }
        const response = await fetch(`${gateway.url}/keyed/x`, { headers: { Authorization: name } })
        expect(response.status).toBe(403)
      },
    )

    const traversals = [
      '../evil',
      '..%2Fevil',
      '..%5Cevil',
      '%2e%2e%2fevil',
      '....//evil',
      '/etc/evil',
      'a/../../evil',
      '..',
      '.',
      '%00evil',
      'evil%00.json',
    ]

    it.each(traversals)('writes and removes nothing outside of its folders: %s', async (id) => {
      const before = listAll(folder)
      const apiId = decodeURIComponent(id)
      await gateway.manage('POST', '/svc/apis', openApi(apiId, upstream.url))
      await gateway.manage('POST', '/svc/policies', { id: apiId, org_id: 'acme', access_rights: {} })
      for (const at of ['/svc/apis/', '/svc/policies/']) {
        for (const method of ['POST', 'PUT', 'DELETE', 'GET']) {
          const body = method === 'POST' || method === 'PUT' ? JSON.stringify(openApi(apiId, upstream.url)) : ''
          await manageRaw(gateway.port, at + id, Buffer.from(body), 'announced', method)
        }
      }
      expect(listAll(folder)).toEqual(before)
      for (const place of ['/etc/evil.json', '/tmp/evil.json', '/evil.json']) expect(existsSync(place)).toBe(false)
    })

    it.each(['', 'wrong', `${managementKey}x`, managementKey.toUpperCase(), managementKey.slice(1)])(
      'rejects the key %j with 403 for every operation',
      async (key) => {
        for (const [method, path] of [
          ['GET', '/svc/keys'],
          ['DELETE', '/svc/keys/acmeanna'],
          ['GET', '/svc/nothing'],
          ['PATCH', '/svc/apis'],
        ] as const) {
          const headers: Record<string, string> = key === '' ? {} : { 'X-Svc-Authorization': key }
          const response = await fetch(gateway.url + path, { method, headers })
          expect(response.status, `${method} ${path}`).toBe(403)
        }
      },
    )

    it.each(['', '[]', '3', '"x"', '{', '{"rate":"x"}', '{"access_rights":[]}', '{"rate":1e999}', "{'a':1}"])(
      'answers %j with a rejection that is JSON',
      async (body) => {
        const { status, body: said } = await gateway.manage('POST', '/svc/keys/odd', body)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
        expect(said).toMatchObject({ status: 'error', message: expect.any(String) })
      },
    )
  })
})

const deep = (levels: number) => `{"org_id":"acme","meta_data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`

/** Resident memory in MB. */
function memoryOf({ child }: RunningGateway): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
  return Number(found?.[1]) / 1024
}

function listAll(folder: Folder): string[] {
  return readdirSync(folder.path, { recursive: true })
    .map(String)
    .filter((name) => !name.startsWith('.turnpike/'))
    .sort()
}

type Outcome = number | 'broken off'

/** Sends a body as it is, also one that is rejected while it is on its way. */
function manageRaw(
  port: number,
  path: string,
  body: Buffer,
  how: 'announced' | 'chunked',
  method = 'POST',
): Promise<Outcome> {
  const headers = {
    'X-Svc-Authorization': managementKey,
    ...(how === 'announced' ? { 'Content-Length': body.length } : {}),
  }
  return send(port, { method, path, headers }, (write, end) => {
    const step = 1024 * 1024
    let at = 0
    const next = () => {
      let more = true
      while (more && at < body.length) {
        more = write(body.subarray(at, at + step))
        at += step
      }
      if (at < body.length) setTimeout(next, 2)
      else end()
    }
    next()
  })
}

function sendChunked(port: number, path: string, bytes: number): Promise<Outcome> {
  return send(port, { method: 'POST', path, headers: {} }, (write, end) => {
    let left = bytes
    const next = () => {
      write(Buffer.alloc(Math.min(left, 1000), 'x'))
      left -= 1000
      if (left > 0) setTimeout(next, 1)
      else end()
    }
    next()
  })
}

interface Head {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string | number>
}

function send(
  port: number,
  head: Head,
  feed: (write: (chunk: Buffer) => boolean, end: () => void) => void,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, agent: false, ...head }, (response) => {
      resolve(response.statusCode ?? 0)
      response.resume()
      response.on('end', () => outgoing.destroy())
    })
    outgoing.on('error', () => resolve('broken off'))
    feed(
      (chunk) => outgoing.destroyed || outgoing.write(chunk),
      () => outgoing.end(),
    )
  })
}
