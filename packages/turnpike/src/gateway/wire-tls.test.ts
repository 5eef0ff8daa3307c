import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
