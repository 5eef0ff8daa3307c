/** APIs on ports of their own, with real sockets, on both front ends. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { get } from 'node:https'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from '../src/gateway/create-gateway.ts'
import { defineApi } from '../src/gateway/define-api.ts'
import type { ConfigDocument, DefinitionDocument } from '../src/gateway/document-types.ts'
import { frontEnds, type TestedFrontEnd } from './support/front-ends.ts'
import { freePort, refused } from './support/process.ts'

const releases: (() => unknown)[] = []
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release()
})

async function serve(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  releases.push(() => new Promise((resolve) => void server.close(resolve)))
  return (server.address() as AddressInfo).port
}

/** An upstream that returns its request; the slow path responds when the test says so. */
async function makeUpstream() {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const asked: string[] = []
  const port = await serve(
    createHttpServer(async (req, res) => {
      asked.push(req.url ?? '')
      if (req.url === '/slow') await gate
      res.end(`saw ${req.url}`)
    }),
  )
  return { target: `http://127.0.0.1:${port}`, asked, release }
}

const mock = (id: string, more: Partial<DefinitionDocument> = {}): DefinitionDocument => ({
  ...defineApi({ id, target: 'http://127.0.0.1:1', open: true }),
  ...more,
})

interface StartOptions {
  readonly definitions: () => readonly DefinitionDocument[]
  readonly frontEnd?: TestedFrontEnd
  readonly config?: ConfigDocument
}

async function start({ definitions, frontEnd = 'http1', config = {} }: StartOptions) {
  const gateway = await createGateway({
    config: { disable_ports_whitelist: true, graceful_shutdown_timeout_duration: 20, ...config },
    definitions,
    frontEnd,
    log: 'silent',
  })
  releases.push(() => gateway.close(0))
  const { port, controlUrl } = await gateway.listen(0, '127.0.0.1')
  return { gateway, port, controlUrl }
}

const at = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
const textAt = async (port: number, path: string) => (await at(port, path)).text()

/** For localhost, signed by itself. */
function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-ports-'))
  releases.push(() => rmSync(folder, { recursive: true, force: true }))
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', keyFile, '-out', certFile],
  ])
  const certificates = [{ domain_name: 'localhost', cert_file: certFile, key_file: keyFile }]
  return { ca: readFileSync(certFile), certificates }
}

function secureTextAt(port: number, path: string, ca: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: 'localhost', port, path, ca, agent: false }, (response) => {
      let got = ''
      response.on('data', (chunk) => (got += chunk))
      response.on('end', () => resolve(got))
    }).on('error', reject)
  })
}

describe.each(frontEnds)('an API with a port of its own, on %s', (frontEnd) => {
  it('answers there and not on the gateway’s port, and the management API answers there not', async () => {
    const { target } = await makeUpstream()
    const own = await freePort()
    const other = await freePort()
    const { port } = await start({
      frontEnd,
      definitions: () => [
        defineApi({ id: 'main', target, open: true, listenPath: '/x/' }),
        { ...defineApi({ id: 'one', target, open: true, listenPath: '/x/' }), listen_port: own },
        { ...defineApi({ id: 'two', target: `${target}/two`, open: true, listenPath: '/x/' }), listen_port: other },
      ],
    })
    expect(await textAt(port, '/x/a')).toBe('saw /a')
    expect(await textAt(own, '/x/b')).toBe('saw /b')
    expect(await textAt(other, '/x/c')).toBe('saw /two/c')
    expect([(await at(own, '/hello')).status, (await at(own, '/svc/apis')).status]).toEqual([404, 404])
    expect((await at(port, '/hello')).status).toBe(200)
  })

  it('comes and goes with reloads, while requests finish and others are not touched', async () => {
    const { target, asked, release } = await makeUpstream()
    const [first, second] = [await freePort(), await freePort()]
    const on = (listen_port: number) => ({
      ...defineApi({ id: 'a', target, open: true, listenPath: '/a/' }),
      listen_port,
    })
    let definitions = [mock('main')]
    const { gateway, port } = await start({ frontEnd, definitions: () => definitions })
    definitions = [mock('main'), on(first)]
    expect((await gateway.reload()).failed).toEqual([])
    const slow = textAt(first, '/a/slow')
    await expect.poll(() => asked, { timeout: 10_000 }).toContain('/slow')
    definitions = [mock('main'), on(second)]
    await gateway.reload()
    expect(await textAt(second, '/a/x')).toBe('saw /x')
    await expect.poll(() => refused(first), { timeout: 10_000 }).toBe(true)
    release()
    expect(await slow).toBe('saw /slow')
    definitions = [mock('main')]
    await gateway.reload()
    await expect.poll(() => refused(second), { timeout: 10_000 }).toBe(true)
    expect((await at(port, '/hello')).status).toBe(200)
  })

  it('is there for the very first request of a port that comes', async () => {
    const { target } = await makeUpstream()
    const ports = [await freePort(), await freePort(), await freePort()]
    const many = Array.from({ length: 200 }, (_, i) => mock(`other-${i}`))
    let definitions: DefinitionDocument[] = []
    const { gateway } = await start({ frontEnd, definitions: () => definitions })
    for (const [i, own] of ports.entries()) {
      const api = { ...defineApi({ id: 'a', target, open: true, listenPath: '/a/' }), listen_port: own }
      // All are compiled again, so that the snapshot takes long.
      definitions = [api, ...many.map((one) => ({ ...one, name: `${i}` }))]
      const reloaded = gateway.reload()
      let text: string | undefined
      while (text === undefined) text = await textAt(own, '/a/x').catch(() => undefined)
      expect(text).toBe('saw /x')
      await reloaded
    }
  })

  it('changes what it speaks on its port, and back', async () => {
    const { target } = await makeUpstream()
    const own = await freePort()
    let protocol = ''
    const api = () => ({ ...defineApi({ id: 'a', target, open: true, listenPath: '/a/' }), listen_port: own, protocol })
    const { gateway } = await start({ frontEnd, definitions: () => [api()] })
    for (protocol of ['h2c', 'http', 'h2c']) {
      expect((await gateway.reload()).failed).toEqual([])
      expect(await textAt(own, '/a/x')).toBe('saw /x')
    }
  })

  it('is left out where its port is in use, and has it at the next reload when it is free', async () => {
    const { target } = await makeUpstream()
    const holder = createServer()
    const taken = await serve(holder)
    const free = await freePort()
    let wanted = taken
    const definitions = () => [
      mock('main'),
      { ...defineApi({ id: 'a', target, open: true, listenPath: '/a/' }), listen_port: wanted },
    ]
    const { gateway } = await start({ frontEnd, definitions })
    const [failure] = (await gateway.reload()).failed
    expect(failure?.reason).toMatch(
      `listen_port: cannot be opened: port ${taken} on 127.0.0.1 is already in use; choose another, or stop the process that uses it`,
    )
    expect(gateway.apis().map(({ id }) => id)).toEqual(['main'])
    wanted = free
    await gateway.reload()
    expect(await textAt(free, '/a/x')).toBe('saw /x')
    wanted = taken
    expect((await gateway.reload()).failed).toMatchObject([{ keptOld: true }])
    expect(await textAt(free, '/a/x')).toBe('saw /x')
    await new Promise((resolve) => void holder.close(resolve))
    expect((await gateway.reload()).failed).toEqual([])
    expect(await textAt(taken, '/a/x')).toBe('saw /x')
  })

  it('is reached by inject with the port, without a socket', async () => {
    const gateway = await createGateway({
      config: { disable_ports_whitelist: true, secret: 'k' },
      definitions: [mock('a', { listen_port: 9001 })],
      frontEnd,
      log: 'silent',
    })
    releases.push(() => gateway.close(0))
    expect((await gateway.inject('/a/x')).status).toBe(404)
    expect((await gateway.inject({ url: '/a/x', port: 9002 })).status).toBe(404)
    expect((await gateway.inject({ url: '/a/x', port: 9001 })).status).toBe(500)
    expect((await gateway.inject({ url: '/hello', port: 9001 })).status).toBe(404)
    expect((await gateway.inject({ url: '/hello', port: 8080 })).status).toBe(200)
    const explained = async (port: number) => {
      const body = JSON.stringify({ path: '/a/x', dry: true, port })
      const headers = { 'x-svc-authorization': 'k' }
      return (await gateway.inject({ method: 'POST', url: '/svc/explain', headers, body })).json<{ api_id?: string }>()
    }
    expect([await explained(9001), await explained(8080)].map(({ api_id }) => api_id)).toEqual(['a', undefined])
  })

  it('may share the port of the management API', async () => {
    const { target } = await makeUpstream()
    const control = await freePort()
    const { port } = await start({
      frontEnd,
      config: { control_api_port: control, disable_ports_whitelist: false },
      definitions: () => [
        mock('main'),
        { ...defineApi({ id: 'a', target, open: true, listenPath: '/a/' }), listen_port: control },
      ],
    })
    expect(await textAt(control, '/a/x')).toBe('saw /x')
    expect((await at(control, '/hello')).status).toBe(200)
    expect([(await at(port, '/a/x')).status, (await at(control, '/main/x')).status]).toEqual([404, 404])
  })

  it('closes with the gateway', async () => {
    const own = await freePort()
    const { gateway } = await start({ frontEnd, definitions: () => [mock('a', { listen_port: own })] })
    expect(await refused(own)).toBe(false)
    await gateway.close(0)
    await expect.poll(() => refused(own), { timeout: 10_000 }).toBe(true)
  })
})

describe('a port that the whitelist does not have', () => {
  it('is not opened, and its API is not loaded', async () => {
    const own = await freePort()
    const { gateway } = await start({
      config: { disable_ports_whitelist: false },
      definitions: () => [mock('a', { listen_port: own })],
    })
    const [failure] = (await gateway.reload()).failed
    expect(failure?.reason).toContain(`listen_port: is ${own}, which the gateway does not allow for http`)
    expect(await refused(own)).toBe(true)
  })

  it('is opened once it has', async () => {
    const own = await freePort()
    const config = {
      disable_ports_whitelist: false,
      ports_whitelist: { http: { ranges: [{ from: own, to: own }] } },
    }
    await start({ config, definitions: () => [mock('a', { listen_port: own })] })
    expect((await at(own, '/a/x')).status).toBe(500)
  })
})

describe('a port that speaks something else than the gateway', () => {
  it('speaks HTTPS with the gateway’s certificate', async () => {
    const { target } = await makeUpstream()
    const own = await freePort()
    const { ca, certificates } = makeCertificate()
    const api = {
      ...defineApi({ id: 'a', target, open: true, listenPath: '/a/' }),
      listen_port: own,
      protocol: 'https',
    }
    const { port } = await start({
      config: { http_server_options: { certificates } },
      definitions: () => [api],
    })
    expect(await secureTextAt(own, '/a/x', ca)).toBe('saw /x')
    expect((await at(port, '/hello')).status).toBe(200)
  })

  it('speaks HTTPS beside a gateway that does, unless it is configured for HTTP', async () => {
    const { target } = await makeUpstream()
    const [own, plain, stream] = [await freePort(), await freePort(), await freePort()]
    const { ca, certificates } = makeCertificate()
    const on = (id: string, more: object) => ({ ...defineApi({ id, target, open: true, listenPath: '/x/' }), ...more })
    const gateway = await createGateway({
      config: { disable_ports_whitelist: true, http_server_options: { use_ssl: true, certificates } },
      definitions: [
        on('own', { listen_port: own }),
        on('plain', { listen_port: plain, protocol: 'http' }),
        on('stream', { listen_port: stream, protocol: 'tls', proxy: { target_url: target.replace('http', 'tcp') } }),
      ],
      log: 'silent',
    })
    releases.push(() => gateway.close(0))
    await gateway.listen(0, '127.0.0.1')
    expect(await secureTextAt(own, '/x/a', ca)).toBe('saw /a')
    expect(await textAt(plain, '/x/b')).toBe('saw /b')
    expect(await secureTextAt(stream, '/c', ca)).toBe('saw /c')
  })

  it('is not opened as HTTPS without a certificate', async () => {
    const own = await freePort()
    const { gateway } = await start({ definitions: () => [mock('a', { listen_port: own, protocol: 'https' })] })
    expect((await gateway.reload()).failed).toMatchObject([
      { reason: expect.stringContaining('the gateway has no certificate: name one in http_server_options') },
    ])
  })

  it('speaks HTTP/2 by prior knowledge, and HTTP/1.1 beside it', async () => {
    const { target } = await makeUpstream()
    const own = await freePort()
    const api = { ...defineApi({ id: 'a', target, open: true, listenPath: '/a/' }), listen_port: own, protocol: 'h2c' }
    await start({ definitions: () => [api] })
    const session = connectHttp2(`http://127.0.0.1:${own}`)
    const text = await new Promise<string>((resolve, reject) => {
      session.on('error', reject)
      const stream = session.request({ ':path': '/a/x' })
      let got = ''
      stream.on('data', (chunk) => (got += chunk))
      stream.on('end', () => resolve(got))
      stream.on('error', reject)
    })
    session.destroy()
    expect(text).toBe('saw /x')
    expect(await textAt(own, '/a/y')).toBe('saw /y')
  })

  it('passes bytes on, to another target after a reload, and changes what it speaks', async () => {
    const greet = (word: string) => serve(createServer((socket) => void socket.end(word)))
    const [first, second] = [await greet('first'), await greet('second')]
    const { target } = await makeUpstream()
    const own = await freePort()
    const tcp = (to: number) => ({
      ...mock('db'),
      ...{ listen_port: own, protocol: 'tcp', proxy: { listen_path: '', target_url: `tcp://127.0.0.1:${to}` } },
    })
    let definitions: DefinitionDocument[] = [tcp(first)]
    const { gateway, port } = await start({ definitions: () => definitions })
    const greeting = () =>
      new Promise<string>((resolve, reject) => {
        let got = ''
        const socket = connect(own, '127.0.0.1')
        socket.on('data', (chunk) => (got += chunk))
        socket.on('error', reject)
        socket.on('close', () => resolve(got))
      })
    expect(await greeting()).toBe('first')
    expect((await at(port, '/db/')).status).toBe(404)
    definitions = [tcp(second)]
    await gateway.reload()
    expect(await greeting()).toBe('second')
    definitions = [{ ...defineApi({ id: 'db', target, open: true, listenPath: '/db/' }), listen_port: own }]
    expect((await gateway.reload()).failed).toEqual([])
    expect(await textAt(own, '/db/x')).toBe('saw /x')
  })
})
