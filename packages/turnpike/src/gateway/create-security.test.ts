import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@turnpike/adapters/clock-system'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'
import type { Gateway } from './gateway.ts'

interface Pair {
  readonly cert: string
  readonly key: string
  /** Of the organisation `org1`. */
  readonly id: string
}

let folder: string
let server: Pair
let client: Pair
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-certificates-'))
  server = makePair('localhost')
  client = makePair('client.test')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function makePair(name: string): Pair {
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '40'],
    ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-keyout', keyFile, '-out', certFile],
  ])
  const cert = readFileSync(certFile, 'utf8')
  const sha256 = new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase()
  return { cert, key: readFileSync(keyFile, 'utf8'), id: `org1${sha256}` }
}

const manage = { 'x-svc-authorization': 'key of the test' }
const config = { secret: 'key of the test' }

async function upload(gateway: Gateway, { cert, key }: Pair): Promise<void> {
  const url = '/svc/certs?org_id=org1'
  const response = await gateway.inject({ url, method: 'POST', headers: manage, body: `${cert}${key}` })
  expect(response.status).toBe(200)
}

const remove = (gateway: Gateway, { id }: Pair) =>
  gateway.inject({ url: `/svc/certs/${id}`, method: 'DELETE', headers: manage })

function apiTo(target: string, more: object) {
  return {
    name: 'a',
    api_id: 'a',
    org_id: 'org1',
    use_keyless: true,
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: '/a/', target_url: target, strip_listen_path: true },
    ...more,
  }
}

/** Status of a request with this certificate. */
function ask(port: number, path: string, { cert, key }: Pair, headers = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: 'localhost', port, path, cert, key, headers, ca: server.cert, agent: false }
    get(options, (response) => {
      response.resume()
      response.on('end', () => resolve(String(response.statusCode)))
    }).on('error', reject)
  })
}

describe('stored certificates', () => {
  it('are shown by the gateway and admit clients, until they are removed', async () => {
    const store = makeMemoryStore({ clock: systemClock })
    const before = await createGateway({ config, store, log: 'silent' })
    await upload(before, server)
    await before.close()

    const upstream = createServer({ cert: server.cert, key: server.key }, (_, response) => response.end('ok'))
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const gateway = await createGateway({
      config: {
        ...config,
        proxy_ssl_insecure_skip_verify: true,
        http_server_options: { use_ssl: true, ssl_certificates: [server.id] },
      },
      store,
      definitions: [
        apiTo(`https://localhost:${(upstream.address() as AddressInfo).port}`, {
          use_mutual_tls_auth: true,
          client_certificates: [client.id],
        }),
      ],
      log: 'silent',
    })
    const { port } = await gateway.listen(0, '127.0.0.1')
    expect(await ask(port, '/a/x', client)).toBe('403')
    await upload(gateway, client)
    expect(await ask(port, '/a/x', client)).toBe('200')
    await remove(gateway, client)
    expect(await ask(port, '/a/x', client)).toBe('403')
    await gateway.close()
    upstream.close()
    upstream.closeAllConnections()
  })

  it('are shown to upstreams by host, until they are removed: connections opened with one close', async () => {
    const shown: (string | undefined)[] = []
    const options = { cert: server.cert, key: server.key, requestCert: true, rejectUnauthorized: false }
    const upstream = createServer(options, (request, response) => {
      shown.push((request.socket as import('node:tls').TLSSocket).getPeerX509Certificate()?.subject)
      response.end('ok')
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const gateway = await createGateway({
      config: { ...config, proxy_ssl_insecure_skip_verify: true },
      definitions: [
        apiTo(`https://localhost:${(upstream.address() as AddressInfo).port}`, {
          upstream_certificates: { localhost: client.id },
        }),
      ],
      log: 'silent',
    })
    await gateway.reload()
    const status = async () => (await gateway.inject('/a/x')).status
    expect(await status()).toBe(500)
    await upload(gateway, client)
    expect(await status()).toBe(200)
    // Kept alive by both sides.
    expect(shown).toEqual(['CN=client.test'])
    await remove(gateway, client)
    expect(await status()).toBe(500)
    await gateway.close()
    upstream.close()
    upstream.closeAllConnections()
  })

  it('are required for the management API if the configuration says so', async () => {
    const store = makeMemoryStore({ clock: systemClock })
    const before = await createGateway({ config, store, log: 'silent' })
    await upload(before, server)
    await upload(before, client)
    await before.close()
    const gateway = await createGateway({
      config: {
        ...config,
        enable_config_inspection: true,
        security: { control_api_use_mutual_tls: true, certificates: { control_api: [client.id] } },
        http_server_options: { use_ssl: true, ssl_certificates: [server.id] },
      },
      store,
      log: 'silent',
    })
    const { port } = await gateway.listen(0, '127.0.0.1')
    expect(await ask(port, '/svc/keys', client, manage)).toBe('200')
    expect(await ask(port, '/svc/keys', client)).toBe('403')
    expect(await ask(port, '/svc/keys', server, manage)).toBe('403')
    expect(await ask(port, '/config', server, manage)).toBe('403')
    expect(await ask(port, '/hello', server)).toBe('200')
    const plain = await gateway.inject({ url: '/svc/keys', headers: manage })
    expect([plain.status, plain.json()]).toEqual([403, { status: 'error', message: 'TLS not enabled' }])
    await gateway.close()
  })

  it('that the gateway is to show must be there at its start', async () => {
    const gateway = await createGateway({
      config: { ...config, http_server_options: { use_ssl: true, ssl_certificates: [server.id] } },
      log: 'silent',
    })
    await expect(gateway.listen(0, '127.0.0.1')).rejects.toThrow(`nothing is stored under ${server.id}`)
    await gateway.close()
  })
})
