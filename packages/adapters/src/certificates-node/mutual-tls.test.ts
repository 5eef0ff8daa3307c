import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectResponse, type Engine, makeEngine, makeInjectedRequest } from '@turnpike/core/engine'
import { readShape } from '@turnpike/core/lib'
import { defaultSettings, type Listening, sessionShape, silentLog } from '@turnpike/core/ports'
import { makeMemorySignals, makeMemoryStore } from '@turnpike/core/store-memory'
import { makeFakeUpstream, makeSequentialIds, makeVirtualClock } from '@turnpike/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { makeNodeFrontEnd } from '../front-end-node/front-end-node.ts'
import { makeNodeCertificates } from './certificates-node.ts'
import { makeChain } from './testing/make-chain.ts'
import { authority, listed, member, stranger, type TestCertificate } from './testing/test-certificates.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const fingerprintOf = ({ cert }: TestCertificate) =>
  new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase()

interface TestApi {
  readonly engine: Engine
  putKey(name: string, wire: object): Promise<void>
  send(client?: TestCertificate, headers?: Record<string, string>): Promise<string>
}

async function makeApi(
  fields: object,
  stored: Record<string, TestCertificate> = {},
  now = Date.UTC(2030, 0, 1),
): Promise<TestApi> {
  const clock = makeVirtualClock(now)
  const store = makeMemoryStore({ clock })
  const definition = {
    name: 'api',
    api_id: 'api',
    org_id: 'org1',
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: '/api/', target_url: 'http://up.test', strip_listen_path: true },
    ...fields,
  }
  const text = JSON.stringify(definition)
  const engine = makeEngine({
    clock,
    store,
    signals: makeMemorySignals(),
    upstream: makeFakeUpstream(clock, () => ({ body: 'ok' })),
    log: silentLog,
    ids: makeSequentialIds(),
    passwords: { hash: async (it) => it, matches: async (it, hash) => it === hash },
    settings: defaultSettings,
    certificates: makeNodeCertificates({ stored: (id) => stored[id]?.cert }),
    source: {
      read: async () => ({
        definitions: [{ name: 'api.json', hash: text, text, problem: undefined }],
        definitionsProblem: undefined,
        policies: { kind: 'none' },
      }),
    },
  })
  await engine.reload()
  const frontEnd = makeNodeFrontEnd({
    tls: { key: listed.key, cert: listed.cert, requestCert: true, rejectUnauthorized: false },
  })
  const listening: Listening = await frontEnd.listen(engine.handle, { host: '127.0.0.1', port: 0 })
  cleanups.push(
    () => engine.close(),
    () => listening.close(0),
  )
  const send: TestApi['send'] = (client, headers = {}) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: listening.port, path: '/api/', rejectUnauthorized: false, headers }
      const clientRequest = request({ ...options, ...client }, (response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () =>
          resolve(`${response.statusCode} ${body.startsWith('{') ? JSON.parse(body).error : body}`),
        )
      })
      clientRequest.on('error', reject)
      clientRequest.end()
    })
  return {
    engine,
    send,
    async putKey(name, wire) {
      await store.sessions.put(name, readShape(sessionShape, wire).value)
      engine.sessionCache.forget(name)
    },
  }
}

const mutual = (...names: string[]) => ({ use_keyless: true, use_mutual_tls_auth: true, client_certificates: names })

describe('an API with mutual TLS', () => {
  it('accepts the certificates whose ids it lists', async () => {
    const id = `org1${fingerprintOf(listed)}`
    const { send } = await makeApi(mutual(id), { [id]: listed })
    expect(await send(listed)).toBe('200 ok')
    expect(await send(stranger)).toBe(`403 Certificate with SHA256 ${fingerprintOf(stranger)} not allowed`)
    expect(await send()).toBe('403 Client TLS certificate is required')
  })

  it('accepts certificates signed by a listed authority, and only if the issuer is an authority', async () => {
    const id = `org1${fingerprintOf(authority)}`
    const { send } = await makeApi(mutual(id), { [id]: authority })
    expect(await send(member)).toBe('200 ok')
    expect(await send(stranger)).toMatch(/^403 Certificate with SHA256/)
    const notAuthority = `org1${fingerprintOf(listed)}`
    const other = await makeApi(mutual(notAuthority), { [notAuthority]: listed })
    expect(await other.send(member)).toMatch(/^403 Certificate with SHA256/)
  })

  it('accepts a chain to a listed authority that the client sends, also in resumed sessions', async () => {
    const { root, leaf, middle } = makeChain({})
    const id = `org1${fingerprintOf(root)}`
    const { send } = await makeApi(mutual(id), { [id]: root })
    expect(await send(leaf)).toBe(`403 Certificate with SHA256 ${fingerprintOf(leaf)} not allowed`)
    // Each request has a connection of its own; the agent resumes the TLS session of the one before.
    const agent = new Agent({ keepAlive: false })
    const withChain = { cert: `${leaf.cert}\n${middle.cert}`, key: leaf.key, agent }
    expect(await send(withChain)).toBe('200 ok')
    expect(await send(withChain)).toBe('200 ok')
    expect(await send(stranger)).toMatch(/^403/)
  })

  it('accepts a chain whose intermediate is listed', async () => {
    const { leaf, middle } = makeChain({})
    const id = `org1${fingerprintOf(middle)}`
    expect(await (await makeApi(mutual(id), { [id]: middle })).send(leaf)).toBe('200 ok')
  })

  it.each([
    ['is no authority', { middle: 'basicConstraints=critical,CA:FALSE' }],
    ['may not be there, by the path length of the root', { root: 'basicConstraints=critical,CA:TRUE,pathlen:0' }],
    ['limits names', { middle: 'basicConstraints=critical,CA:TRUE\nnameConstraints=critical,permitted;DNS:a.test' }],
    ['has expired', { middleDays: '-1' }],
  ])('rejects a chain whose intermediate %s', async (_, options) => {
    const { root, leaf, middle } = makeChain(options)
    const id = `org1${fingerprintOf(root)}`
    const { send } = await makeApi(mutual(id), { [id]: root }, Date.now() + 60_000)
    expect(await send({ cert: `${leaf.cert}\n${middle.cert}`, key: leaf.key })).toMatch(/^403 Certificate with SHA256/)
  })

  it.each([
    ['serverAuth', false],
    ['serverAuth,clientAuth', true],
    ['anyExtendedKeyUsage', true],
  ])('accepts a certificate with the extended key usage %s: %s', async (usage, isAccepted) => {
    const { leaf, middle } = makeChain({ leaf: `extendedKeyUsage=${usage}` })
    const status = isAccepted ? /^200/ : /^403 Certificate with SHA256/
    for (const [named, listedOne] of [
      [middle, middle],
      [leaf, leaf],
    ] as const) {
      const id = `org1${fingerprintOf(named)}`
      expect(await (await makeApi(mutual(id), { [id]: listedOne })).send(leaf)).toMatch(status)
    }
  })

  it.each([
    ['keyUsage=critical,digitalSignature,cRLSign', /^403/],
    ['keyUsage=critical,keyCertSign', /^200/],
    ['extendedKeyUsage=serverAuth', /^403/],
  ])('accepts an authority with %s: %s', async (usage, status) => {
    const { leaf, middle } = makeChain({ middle: `basicConstraints=critical,CA:TRUE\n${usage}` })
    const id = `org1${fingerprintOf(middle)}`
    expect(await (await makeApi(mutual(id), { [id]: middle })).send(leaf)).toMatch(status)
  })

  it('rejects a certificate that is not valid yet', async () => {
    const early = Date.UTC(2020, 0, 1)
    const own = `org1${fingerprintOf(listed)}`
    expect(await (await makeApi(mutual(own), { [own]: listed }, early)).send(listed)).toBe(
      '403 Certificate has expired',
    )
  })

  it('reads certificates from files and ignores missing and broken files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-certificates-'))
    cleanups.push(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'listed.pem'), listed.cert)
    writeFileSync(join(folder, 'broken.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')
    const { send } = await makeApi(
      mutual(join(folder, 'none.pem'), join(folder, 'broken.pem'), join(folder, 'listed.pem')),
    )
    expect(await send(listed)).toBe('200 ok')
    expect(await send(stranger)).toMatch(/^403/)
  })

  it('rejects an id whose certificate was deleted', async () => {
    const id = `org1${fingerprintOf(listed)}`
    const stored: Record<string, TestCertificate> = { [id]: listed }
    const { send } = await makeApi(mutual(id), stored)
    expect(await send(listed)).toBe('200 ok')
    delete stored[id]
    expect(await send(listed)).toBe(`403 Certificate with SHA256 ${fingerprintOf(listed)} not allowed`)
  })

  it('rejects an expired certificate', async () => {
    const id = `org1${fingerprintOf(listed)}`
    const { send } = await makeApi(mutual(id), { [id]: listed }, Date.UTC(2200, 0, 1))
    expect(await send(listed)).toBe('403 Certificate has expired')
  })

  it('rejects a connection without TLS', async () => {
    const { engine } = await makeApi(mutual(`org1${fingerprintOf(listed)}`))
    const response = await collectResponse(await engine.handle(makeInjectedRequest({ url: '/api/' })))
    expect([response.status, response.json()]).toEqual([403, { error: 'TLS not enabled' }])
  })
})

describe('keys of certificates', () => {
  const fields = { use_standard_auth: true, auth: { auth_header_name: 'Authorization', use_certificate: true } }
  const id = `org1${fingerprintOf(listed)}`
  const session = { org_id: 'org1', certificate: id, access_rights: { api: {} } }

  it('are identified by the certificate of the connection, never by a key in the request', async () => {
    const { send, putKey } = await makeApi(fields, { [id]: listed })
    await putKey(id, session)
    expect(await send(listed)).toBe('200 ok')
    expect(await send(undefined, { authorization: id })).toBe('401 Client certificate required')
    expect(await send(stranger)).toBe('401 Access to this API has been disallowed')
  })

  it('require that the certificate is stored and not expired', async () => {
    const gone = await makeApi(fields)
    await gone.putKey(id, session)
    expect(await gone.send(listed)).toBe('403 Access to this API has been disallowed')
    const { send, putKey } = await makeApi(fields, { [id]: listed }, Date.UTC(2200, 0, 1))
    await putKey(id, session)
    expect(await send(listed)).toBe('403 Certificate has expired')
    const early = await makeApi(fields, { [id]: listed }, Date.UTC(2020, 0, 1))
    await early.putKey(id, session)
    expect(await early.send(listed)).toBe('403 Certificate has expired')
  })

  it('are read from the request on a connection without TLS; a missing one gets 403', async () => {
    const { engine, putKey } = await makeApi(fields)
    await putKey('org1k123', { org_id: 'org1', access_rights: { api: {} } })
    const send = async (headers: Record<string, string>) =>
      (await collectResponse(await engine.handle(makeInjectedRequest({ url: '/api/', headers })))).status
    expect(await send({ authorization: 'k123' })).toBe(200)
    expect(await send({})).toBe(403)
  })
})

describe('a key bound to certificates', () => {
  it('is rejected with another certificate', async () => {
    const ids = [listed, stranger].map((one) => `org1${fingerprintOf(one)}`)
    const fields = { ...mutual(...ids), use_keyless: false, use_standard_auth: true }
    const { send, putKey } = await makeApi(fields, { [ids[0] ?? '']: listed, [ids[1] ?? '']: stranger })
    await putKey('org1k123', { org_id: 'org1', access_rights: { api: {} }, mtls_static_certificate_bindings: [ids[0]] })
    expect(await send(listed, { authorization: 'k123' })).toBe('200 ok')
    expect(await send(stranger, { authorization: 'k123' })).toBe('403 Access to this API has been disallowed')
  })
})
