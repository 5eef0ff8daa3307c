import { execFileSync } from 'node:child_process'
import { createHash, createPublicKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import type { UpstreamOptions } from '@turnpike/core/ports'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../test/real-clock.ts'
import { opensslNames, tlsLimits } from './tls-names.ts'
import { makeUndiciUpstream, type UndiciUpstreamOptions } from './undici-upstream.ts'

let folder = ''
const file = (name: string) => join(folder, name)
const text = (name: string) => readFileSync(file(name), 'utf8')

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-tls-'))
  for (const name of ['server', 'client']) {
    const subject = ['-subj', `/CN=${name === 'server' ? 'localhost' : 'a client'}`, '-days', '2']
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const out = ['-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)]
    execFileSync('openssl', ['req', '-x509', ...key, ...out, ...subject], { stdio: 'ignore' })
  }
  execFileSync('sh', ['-c', `cat ${file('client.crt')} ${file('client.key')} > ${file('client.pem')}`])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const listen = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** A server that returns the name of the client's certificate, the TLS version and the cipher. */
const tlsServer = (options: ServerOptions = {}) =>
  listen(
    createTlsServer(
      { key: text('server.key'), cert: text('server.crt'), requestCert: true, rejectUnauthorized: false, ...options },
      (req, res) => {
        const socket = req.socket as TLSSocket
        res.end(
          `${socket.getPeerCertificate().subject?.CN ?? 'nobody'} ${socket.getProtocol()} ${socket.getCipher().name}`,
        )
      },
    ),
  )

async function get(
  origin: string,
  options: UpstreamOptions,
  more: Partial<UndiciUpstreamOptions> = {},
): Promise<string> {
  const upstream = makeUndiciUpstream({ clock: realClock, ...more })
  closing.push(() => upstream.close())
  const result = await upstream.connect(origin, options).send({
    method: 'GET',
    path: '/x',
    headers: ['host', 'test'],
    body: undefined,
    bodyLength: undefined,
    timeoutMs: 5000,
    unpack: false,
  })
  if (result.kind === 'error') return `${result.reason}: ${(result.cause as Error).message}`
  return Buffer.from(result.body as Uint8Array).toString()
}

const insecure = { insecure: true }
const keyHash = (name: string) =>
  createHash('sha256')
    .update(createPublicKey(text(name)).export({ type: 'spki', format: 'der' }))
    .digest('hex')

describe('a certificate for the upstream', () => {
  test('is read from a file with its key and sent', async () => {
    const origin = `https://localhost:${await tlsServer()}`
    expect(await get(origin, insecure)).toMatch(/^nobody /)
    expect(await get(origin, { ...insecure, tls: { certificate: file('client.pem') } })).toMatch(/^a client /)
  })

  test('is found by its id in the certificate store', async () => {
    const origin = `https://localhost:${await tlsServer()}`
    const findPem = async (id: string) => (id === 'org1abc' ? text('client.pem') : undefined)
    expect(await get(origin, { ...insecure, tls: { certificate: 'org1abc' } }, { findPem })).toMatch(/^a client /)
  })

  test('that does not exist fails the call', async () => {
    const origin = `https://localhost:${await tlsServer()}`
    expect(await get(origin, { ...insecure, tls: { certificate: 'none' } })).toBe(
      'broken: certificate none does not exist',
    )
  })

  test('that is removed closes its connections: idle ones immediately, others after their call', async () => {
    const open = new Set<Socket>()
    const held: (() => void)[] = []
    const server = createTlsServer(
      { key: text('server.key'), cert: text('server.crt'), requestCert: true, rejectUnauthorized: false },
      (req, res) => {
        if (req.url === '/held') held.push(() => res.end('ok'))
        else res.end('ok')
      },
    )
    server.on('secureConnection', (socket) => {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    })
    const origin = `https://localhost:${await listen(server)}`
    const upstream = makeUndiciUpstream({ clock: realClock, findPem: async () => text('client.pem') })
    closing.push(() => upstream.close())
    const link = upstream.connect(origin, { ...insecure, tls: { certificate: 'org1abc' } })
    const plain = upstream.connect(origin, insecure)
    const rest = { headers: ['host', 'a'], body: undefined, bodyLength: undefined, timeoutMs: 0, unpack: false }
    const call = (path: string, over = link) => over.send({ method: 'GET', path, ...rest })
    await call('/', plain)
    const slow = call('/held')
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1)
    await call('/')
    expect(open.size).toBe(3)
    upstream.forgetCertificate?.('org1other')
    upstream.forgetCertificate?.('org1abc')
    await expect.poll(() => open.size, { timeout: 10_000 }).toBe(2)
    held[0]?.()
    expect(await slow).toMatchObject({ kind: 'response', status: 200 })
    await expect.poll(() => open.size, { timeout: 10_000 }).toBe(1)
  })
})

describe('a pinned key', () => {
  test('can be a fingerprint, a file, or an id with an organisation', async () => {
    const origin = `https://localhost:${await tlsServer()}`
    const certificateHash = new X509Certificate(text('server.crt')).fingerprint256
    for (const pin of [keyHash('server.crt'), `org1${keyHash('server.crt')}`, certificateHash, file('server.crt')]) {
      expect(await get(origin, { ...insecure, tls: { pinnedKeys: ['unknown', pin] } }), pin).toMatch(/^nobody /)
    }
  })

  test('that does not match fails the call', async () => {
    const origin = `https://localhost:${await tlsServer()}`
    for (const pin of [keyHash('client.crt'), file('client.crt'), 'unknown']) {
      expect(await get(origin, { ...insecure, tls: { pinnedKeys: [pin] } })).toMatch(/^broken: the key of localhost/)
    }
  })
})

describe('the common name', () => {
  test('is verified if the option is on, even if the certificate is not verified', async () => {
    const port = await tlsServer()
    const tls = { checksCommonName: true }
    expect(await get(`https://localhost:${port}`, { ...insecure, tls })).toMatch(/^nobody /)
    expect(await get(`https://127.0.0.1:${port}`, { ...insecure, tls })).toMatch(/^broken: the certificate of/)
  })
})

describe('versions and ciphers', () => {
  test('follow the options', async () => {
    const origin = `https://localhost:${await tlsServer()}`
    const ciphers = ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'TLS_NO_SUCH']
    expect(await get(origin, { ...insecure, tls: { maxVersion: 771, ciphers } })).toBe(
      'nobody TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384',
    )
    expect(await get(origin, { ...insecure, tls: { minVersion: 772 } })).toMatch(/TLSv1\.3/)
  })

  test('that the upstream does not support fail the call', async () => {
    const origin = `https://localhost:${await tlsServer({ minVersion: 'TLSv1.3' })}`
    expect(await get(origin, { ...insecure, tls: { maxVersion: 771 } })).toMatch(/^broken: /)
  })

  test.each([
    ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
    ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
    ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
    ['TLS_RSA_WITH_AES_128_CBC_SHA256', 'AES128-SHA256'],
    ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
    ['AES256-GCM-SHA384', 'AES256-GCM-SHA384'],
  ])('%s is %s', (name, openssl) => {
    expect(opensslNames([name])).toEqual([openssl])
  })

  test('of old TLS set the required OpenSSL security level', () => {
    expect(tlsLimits({ maxVersion: 770 })).toEqual({
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
    })
    expect(tlsLimits({ minVersion: 5, ciphers: ['nothing'] })).toEqual({})
  })
})

describe('a proxy', () => {
  const startProxy = async () => {
    const seen: string[] = []
    const proxy = createHttpServer((req, res) => {
      seen.push(`${req.method} ${req.url} ${req.headers['proxy-authorization'] ?? ''}`)
      res.end('from the proxy')
    })
    proxy.on('connect', (req: IncomingMessage, socket: Socket) => {
      seen.push(`CONNECT ${req.url} ${req.headers['proxy-authorization'] ?? ''}`)
      if (req.url?.startsWith('rejected')) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
        return
      }
      const target = connect(Number(req.url?.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        target.pipe(socket).pipe(target)
      })
      socket.on('close', () => target.destroy())
    })
    return { seen, proxyUrl: `http://me:s%20t@127.0.0.1:${await listen(proxy)}` }
  }
  const credentials = `Basic ${Buffer.from('me:s t').toString('base64')}`

  test('receives absolute URLs for http', async () => {
    const { seen, proxyUrl } = await startProxy()
    expect(await get('http://up.test:81', { insecure: false, proxyUrl })).toBe('from the proxy')
    expect(seen).toEqual([`GET http://up.test:81/x ${credentials}`])
  })

  test('receives CONNECT for https', async () => {
    const { seen, proxyUrl } = await startProxy()
    const port = await tlsServer()
    expect(await get(`https://localhost:${port}`, { insecure: true, proxyUrl })).toMatch(/^nobody TLS/)
    expect(seen).toEqual([`CONNECT localhost:${port} ${credentials}`])
  })

  test('that rejects the request or has an invalid URL fails the call', async () => {
    const { proxyUrl } = await startProxy()
    expect(await get('https://rejected:1', { insecure: true, proxyUrl })).toBe('broken: the proxy returned status 403')
    for (const url of ['ftp://a', 'nonsense']) {
      expect(await get('http://up.test', { insecure: true, proxyUrl: url })).toMatch(/^broken: proxy_url is not/)
    }
  })
})
