/** gRPC through a gateway: @grpc/grpc-js as client and as server, `h2c` between gateway and server. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client,
  type ClientReadableStream,
  type ClientUnaryCall,
  credentials,
  Metadata,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import { rawExchange } from '@turnpike/testkit/suites/http-wire/raw-exchange'
import { hasResponse, readResponses } from '@turnpike/testkit/suites/http-wire/wire-responses'
import { createGateway, defineApi } from 'turnpike'
import { afterEach, describe, expect, it } from 'vitest'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const toBytes = (text: string) => Buffer.from(text)
const toText = (bytes: Buffer) => bytes.toString()

function methodOf(name: string, requestStream: boolean, responseStream: boolean): MethodDefinition<string, string> {
  return {
    path: `/fleet.Harbour/${name}`,
    requestStream,
    responseStream,
    requestSerialize: toBytes,
    requestDeserialize: toText,
    responseSerialize: toBytes,
    responseDeserialize: toText,
  }
}

const harbour = {
  find: methodOf('Find', false, false),
  list: methodOf('List', false, true),
  count: methodOf('Count', true, false),
  talk: methodOf('Talk', true, true),
}

/** Rejects unknown ships, lists each letter of a name, counts messages, and echoes a conversation. */
function implementation(cancelled: string[]) {
  return {
    find(call: ServerUnaryCall<string, string>, done: sendUnaryData<string>) {
      if (call.request === 'slow') {
        call.on('cancelled', () => cancelled.push('find'))
        return
      }
      if (call.request === 'none') {
        done({ code: status.NOT_FOUND, details: 'no such ship' })
        return
      }
      const trailers = new Metadata()
      trailers.set('x-berth', '7')
      const initial = new Metadata()
      for (const flag of call.metadata.get('x-flag')) initial.add('x-flag', flag)
      call.sendMetadata(initial)
      done(null, `ship ${call.request}`, trailers)
    },
    list(call: ServerWritableStream<string, string>) {
      for (const letter of call.request) call.write(letter)
      if (call.request === 'broken') call.emit('error', { code: status.DATA_LOSS, details: 'lost' })
      else call.end()
    },
    count(call: ServerReadableStream<string, string>, done: sendUnaryData<string>) {
      let sum = 0
      call.on('data', () => sum++)
      call.on('end', () => done(null, String(sum)))
    },
    talk(call: ServerDuplexStream<string, string>) {
      call.on('data', (message: string) => call.write(`heard ${message}`))
      call.on('end', () => call.end())
      call.on('cancelled', () => cancelled.push('talk'))
    },
  }
}

/** A certificate for localhost. */
function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-grpc-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=localhost', '-keyout', keyFile, '-out', certFile]
  execFileSync('openssl', [...args, ...names], { stdio: 'ignore' })
  const pair = { private_key: readFileSync(keyFile), cert_chain: readFileSync(certFile) }
  rmSync(folder, { recursive: true })
  return pair
}

async function makeSetup(more: { open?: boolean; balanced?: boolean; tls?: boolean } = {}) {
  const cancelled: string[] = []
  const server = new Server()
  server.addService(harbour, implementation(cancelled))
  const upstreamPort = await new Promise<number>((resolve, reject) => {
    const serverCredentials = more.tls
      ? ServerCredentials.createSsl(null, [makeCertificate()])
      : ServerCredentials.createInsecure()
    server.bindAsync('127.0.0.1:0', serverCredentials, (error, port) =>
      error === null ? resolve(port) : reject(error),
    )
  })
  cleanups.push(() => server.forceShutdown())
  const target = `${more.tls ? 'https' : 'h2c'}://127.0.0.1:${upstreamPort}`
  const definition = defineApi({
    id: 'fleet',
    target,
    open: more.open ?? true,
    more: {
      proxy: {
        listen_path: '/fleet.Harbour/',
        target_url: more.balanced ? 'http://127.0.0.1:1' : target,
        strip_listen_path: false,
        enable_load_balancing: more.balanced ?? false,
        target_list: [target],
        transport: { ssl_insecure_skip_verify: true },
      },
    },
  })
  const gateway = await createGateway({
    log: 'silent',
    definitions: [definition],
    config: { http_server_options: { enable_http2: true }, proxy_enable_http2: more.tls ?? false },
  })
  cleanups.push(() => gateway.close(0))
  const { port } = await gateway.listen(0)
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  cleanups.push(() => client.close())
  return { client, gateway, port, server, cancelled }
}

type Setup = Awaited<ReturnType<typeof makeSetup>>

interface Reply {
  readonly message: string | undefined
  readonly code: number
  readonly details: string
  readonly trailers: Metadata | undefined
}

function find({ client }: Setup, ship: string, metadata = new Metadata(), deadlineMs = 10_000) {
  let call: ClientUnaryCall | undefined
  const reply = new Promise<Reply>((resolve) => {
    let message: string | undefined
    const { path, requestSerialize, responseDeserialize } = harbour.find
    const deadline = Date.now() + deadlineMs
    call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      ship,
      metadata,
      { deadline },
      (_error: ServiceError | null, given?: string) => {
        message = given
      },
    )
    call.on('status', ({ code, details, metadata: trailers }) =>
      setImmediate(() => resolve({ message, code, details, trailers })),
    )
  })
  return { call: call as unknown as ClientUnaryCall, reply }
}

function listAll({ client }: Setup, word: string): Promise<{ messages: string[]; code: number }> {
  const { path, requestSerialize, responseDeserialize } = harbour.list
  const call: ClientReadableStream<string> = client.makeServerStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    word,
  )
  const messages: string[] = []
  call.on('data', (message: string) => messages.push(message))
  call.on('error', () => {})
  return new Promise((resolve) => call.on('status', ({ code }) => resolve({ messages, code })))
}

describe('gRPC through the gateway', () => {
  it('passes a unary call with metadata and trailers', async () => {
    const setup = await makeSetup()
    const metadata = new Metadata()
    metadata.set('x-flag', 'red')
    const { call, reply } = find(setup, 'Vasa', metadata)
    const initial = new Promise<Metadata>((resolve) => call.on('metadata', resolve))
    expect(await reply).toMatchObject({ message: 'ship Vasa', code: status.OK })
    expect((await reply).trailers?.get('x-berth')).toEqual(['7'])
    expect((await initial).get('x-flag')).toEqual(['red'])
  })

  it('passes calls to targets of a list', async () => {
    const { reply } = find(await makeSetup({ balanced: true }), 'Vasa')
    expect(await reply).toMatchObject({ message: 'ship Vasa', code: status.OK })
  })

  it('passes calls to a server behind TLS', async () => {
    const setup = await makeSetup({ tls: true })
    expect(await find(setup, 'Vasa').reply).toMatchObject({ message: 'ship Vasa', code: status.OK })
    expect(await listAll(setup, 'abc')).toEqual({ messages: ['a', 'b', 'c'], code: status.OK })
  })

  it('passes the status of a response without messages', async () => {
    const { reply } = find(await makeSetup(), 'none')
    expect(await reply).toMatchObject({ message: undefined, code: status.NOT_FOUND, details: 'no such ship' })
  })

  it('passes all messages of a server stream and its status', async () => {
    const setup = await makeSetup()
    expect(await listAll(setup, 'abc')).toEqual({ messages: ['a', 'b', 'c'], code: status.OK })
    expect((await listAll(setup, 'broken')).code).toBe(status.DATA_LOSS)
  })

  it('passes all messages of a client stream', async () => {
    const { client } = await makeSetup()
    const { path, requestSerialize, responseDeserialize } = harbour.count
    const sum = await new Promise((resolve, reject) => {
      const call = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, (error, reply) =>
        error === null ? resolve(reply) : reject(error),
      )
      for (let i = 0; i < 500; i++) call.write('x'.repeat(1000))
      call.end()
    })
    expect(sum).toBe('500')
  })

  it('passes each message of a conversation at once', async () => {
    const { client } = await makeSetup()
    const { path, requestSerialize, responseDeserialize } = harbour.talk
    const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
    const next = () => new Promise<string>((resolve) => call.once('data', resolve))
    for (const word of ['one', 'two', 'three']) {
      const heard = next()
      call.write(word)
      expect(await heard).toBe(`heard ${word}`)
    }
    const ended = new Promise<number>((resolve) => call.on('status', ({ code }) => resolve(code)))
    call.end()
    expect(await ended).toBe(status.OK)
  })

  it('cancels the call at the server when the client cancels it or its deadline passes', async () => {
    const setup = await makeSetup()
    const { path, requestSerialize, responseDeserialize } = harbour.talk
    const talk = setup.client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
    talk.on('error', () => {})
    const heard = new Promise((resolve) => talk.once('data', resolve))
    talk.write('hello')
    await heard
    talk.cancel()
    const slow = find(setup, 'slow', undefined, 300)
    expect((await slow.reply).code).toBe(status.DEADLINE_EXCEEDED)
    await expect.poll(() => setup.cancelled.toSorted()).toEqual(['find', 'talk'])
  })

  it('serves many calls at once, over more than one connection to the server', async () => {
    const setup = await makeSetup()
    const replies = await Promise.all(Array.from({ length: 300 }, (_, i) => find(setup, String(i)).reply))
    expect(replies.map(({ message }) => message)).toEqual(Array.from({ length: 300 }, (_, i) => `ship ${i}`))
  })

  it('answers a missing key, an unknown path and a lost server without a gRPC status', async () => {
    const locked = await makeSetup({ open: false })
    expect((await find(locked, 'Vasa').reply).code).toBe(status.UNAUTHENTICATED)
    const setup = await makeSetup()
    setup.server.forceShutdown()
    expect(await find(setup, 'Vasa').reply).toMatchObject({ code: status.UNKNOWN })
    const session = connect(`http://127.0.0.1:${setup.port}`)
    cleanups.push(() => session.destroy())
    const stream = session.request({ ':method': 'POST', ':path': '/nobody/Find', 'content-type': 'application/grpc' })
    const head = new Promise<Record<string, unknown>>((resolve) => stream.on('response', resolve))
    stream.end()
    expect((await head)[':status']).toBe(404)
    expect(await head).not.toHaveProperty('grpc-status')
  })

  it('is translated for a client of HTTP/1.1, with trailers after the chunks', async () => {
    const { port } = await makeSetup()
    const message = '\0\0\0\0\x04Vasa'
    const request =
      'POST /fleet.Harbour/Find HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nContent-Type: application/grpc\r\n' +
      `Content-Length: ${message.length}\r\n\r\n${message}`
    const [response] = readResponses((await rawExchange(port, request, { until: hasResponse, waitMs: 10_000 })).text)
    expect(response).toMatchObject({ status: 200, body: '\0\0\0\0\x09ship Vasa', complete: true })
    expect(response?.trailers).toContain('grpc-status: 0')
  })
})
