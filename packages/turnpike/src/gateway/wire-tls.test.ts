import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:https'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-tls-'))
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
  ])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pair = () => ({
  domain_name: 'localhost',
  cert_file: join(folder, 'cert.pem'),
  key_file: join(folder, 'key.pem'),
})

function ask(port: number, path: string): Promise<{ status: number; text: string }> {
  const ca = readFileSync(join(folder, 'cert.pem'))
  return new Promise((resolve, reject) => {
    get({ host: 'localhost', port, path, ca, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    }).on('error', reject)
  })
}

describe('TLS at the gateway', () => {
  it('answers over TLS with the certificate of the configuration', async () => {
    const gateway = await createGateway({
      config: { http_server_options: { use_ssl: true, certificates: [pair()] } },
      definitions: [defineApi({ id: 'a', target: 'http://127.0.0.1:1', open: true })],
      log: 'silent',
    })
    const { port, url } = await gateway.listen(0, '127.0.0.1')
    expect(url).toBe(`https://127.0.0.1:${port}`)
    expect((await ask(port, '/hello')).status).toBe(200)
    expect((await ask(port, '/a/x')).text).toContain('There was a problem proxying the request')
    await gateway.close()
  })

  it.each([
    [{ use_ssl: true }, /without a certificate/],
    [{ use_ssl: true, certificates: [{ cert_file: 'nowhere.pem', key_file: 'nowhere.pem' }] }, /cannot be read/],
  ])('is rejected with a clear reason: %j', async (options, reason) => {
    const gateway = await createGateway({ config: { http_server_options: options }, log: 'silent' })
    await expect(gateway.listen(0, '127.0.0.1')).rejects.toThrow(reason)
    await gateway.close()
  })
})

describe('the certificate for a server name', () => {
  const make = (name: string, altNames: string) => {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
        ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=${altNames}`],
        ...['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.crt`)],
      ],
      { stdio: 'ignore' },
    )
    return { cert_file: join(folder, `${name}.crt`), key_file: join(folder, `${name}.key`) }
  }
  const listed = (name: string) => {
    const file = join(folder, `${name}.pem`)
    writeFileSync(file, ['crt', 'key'].map((ext) => readFileSync(join(folder, `${name}.${ext}`), 'utf8')).join(''))
    return file
  }
  const commonName = (port: number, servername: string) =>
    new Promise<unknown>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().subject.CN)
        socket.destroy()
      }).on('error', reject)
    })

  it('is found by the names in it, exact ones before wildcards, and by domain_name', async () => {
    const certificates = [
      make('first', 'DNS:first.test'),
      make('wild', 'DNS:*.a.test'),
      make('exact', 'DNS:x.a.test,DNS:other.test'),
      { ...make('named', 'DNS:unused.test'), domain_name: 'by-domain.test' },
    ]
    make('list', 'DNS:*.list.test')
    const gateway = await createGateway({
      config: { http_server_options: { use_ssl: true, certificates, ssl_certificates: [listed('list')] } },
      log: 'silent',
    })
    const { port } = await gateway.listen(0, '127.0.0.1')
    const names = ['x.a.test', 'Y.A.test', 'other.test', 'by-domain.test', 'z.list.test', 'unknown.test', '']
    const found = await Promise.all(names.map((name) => commonName(port, name)))
    expect(found).toEqual(['exact', 'wild', 'exact', 'named', 'list', 'first', 'first'])
    await gateway.close()
  })

  it('is renewed by a reload without cutting connections; an invalid file changes nothing', async () => {
    const certificates = [make('old', 'DNS:renewed.test')]
    const gateway = await createGateway({
      config: { http_server_options: { use_ssl: true, certificates } },
      log: 'silent',
    })
    const { port } = await gateway.listen(0, '127.0.0.1')
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 1 })
    const hello = () =>
      new Promise<Socket>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path: '/hello', agent, rejectUnauthorized: false }, (response) => {
          const { socket } = response
          response.resume().on('end', () => resolve(socket))
        }).on('error', reject)
      })
    const open = await hello()
    writeFileSync(join(folder, 'old.crt'), 'not a certificate')
    await gateway.reload()
    expect(await commonName(port, 'renewed.test')).toBe('old')
    const renewed = make('new', 'DNS:renewed.test')
    copyFileSync(renewed.cert_file, join(folder, 'old.crt'))
    copyFileSync(renewed.key_file, join(folder, 'old.key'))
    await gateway.reload()
    await vi.waitFor(async () => expect(await commonName(port, 'renewed.test')).toBe('new'))
    expect(await commonName(port, '')).toBe('new')
    expect(await hello()).toBe(open)
    agent.destroy()
    await gateway.close()
  })
})
