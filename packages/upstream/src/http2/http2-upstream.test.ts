import { createServer as createHttp1Server } from 'node:http'
import {
  constants,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  sensitiveHeaders,
} from 'node:http2'
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { HeaderPairs } from '@turnpike/core/http'
import type { UpstreamLink, UpstreamOptions, UpstreamResponse } from '@turnpike/core/ports'
import { send } from '@turnpike/testkit/suites/upstream-suite'
import { afterEach, describe, expect, it } from 'vitest'
import { realClock } from '../../test/real-clock.ts'
import { makeHttp2Upstream } from './http2-upstream.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function listen(server: Server | Http2Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return (server.address() as AddressInfo).port
}

type Respond = (stream: ServerHttp2Stream, headers: Record<string, unknown>, count: number) => void

/** An HTTP/2 server and a link to it. */
async function makeSetup(respond: Respond, more: { settings?: object; options?: Partial<UpstreamOptions> } = {}) {
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer({ settings: more.settings ?? {} })
  let opened = 0
  let count = 0
  server.on('session', (session) => {
    opened++
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    session.on('error', () => {})
  })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    respond(stream, { ...headers }, count++)
  })
  const port = await listen(server)
  closing.push(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  const link = linkTo(port, more.options)
  return { link, sessions, opened: () => opened }
}

function linkTo(port: number, options: Partial<UpstreamOptions> = {}): UpstreamLink {
  const upstream = makeHttp2Upstream({ clock: realClock })
  closing.push(() => upstream.close())
  return upstream.connect(`h2c://127.0.0.1:${port}`, { insecure: false, ...options })
}

interface Read {
  readonly text: string
  readonly trailers: HeaderPairs | undefined
  readonly failure: unknown
}

/** Reads the body of a response with its trailers. */
function read({ body }: UpstreamResponse): Promise<Read> {
  if (body === undefined || body instanceof Uint8Array) {
    return Promise.resolve({ text: Buffer.from(body ?? []).toString(), trailers: undefined, failure: undefined })
  }
  return new Promise((resolve) => {
    let text = ''
    body.pipe({
      data(chunk) {
        text += Buffer.from(chunk).toString()
        return true
      },
      end: (trailers) => resolve({ text, trailers, failure: undefined }),
      fail: (failure) => resolve({ text, trailers: undefined, failure }),
    })
  })
}

const respondOk: Respond = (stream) => {
  stream.respond({ ':status': 200, 'content-type': 'text/plain' })
  stream.end('ok')
}

describe('an HTTP/2 request', () => {
  it('has pseudo-header fields, and no fields of the connection', async () => {
    let seen: Record<string, unknown> = {}
    const { link } = await makeSetup((stream, headers, count) => {
      seen = headers
      respondOk(stream, headers, count)
    })
    const headers = ['host', 'a.test:81', 'connection', 'close', 'te', 'trailers', 'cookie', 'a=1', 'cookie', 'b=2']
    const response = await send(link, {
      method: 'PUT',
      path: '/x?y=\u00fc',
      headers: [...headers, 'x-a', '1', 'x-a', '2', 'upgrade', 'h2c', 'transfer-encoding', 'chunked'],
      body: Buffer.from('abc'),
      bodyLength: 3,
    })
    expect(response).toMatchObject({
      kind: 'response',
      status: 200,
      headers: ['content-type', 'text/plain', 'date', expect.any(String)],
    })
    expect({ ...seen, [sensitiveHeaders]: [] }).toEqual({
      ':method': 'PUT',
      ':scheme': 'http',
      ':authority': 'a.test:81',
      ':path': '/x?y=\u00fc',
      te: 'trailers',
      cookie: 'a=1; b=2',
      'x-a': '1, 2',
      'content-length': '3',
      [sensitiveHeaders]: [],
    })
  })

  it('sends each character of a header value as one byte', async () => {
    let seen: unknown
    const { link } = await makeSetup((stream, headers, count) => {
      seen = headers['x-name']
      respondOk(stream, headers, count)
    })
    const value = Buffer.from('é€', 'utf8').toString('latin1')
    await send(link, { headers: ['host', 'a.test', 'x-name', value] })
    expect(seen).toBe(value)
  })

  it('streams its body with trailers', async () => {
    const seen: unknown[] = []
    const { link } = await makeSetup((stream, headers, count) => {
      stream.on('data', (chunk: Buffer) => seen.push(chunk.toString()))
      stream.on('trailers', (trailers) => seen.push(trailers['x-sum']))
      stream.on('end', () => respondOk(stream, headers, count))
    })
    const response = await send(link, {
      method: 'POST',
      body: {
        pipe(sink) {
          sink.data(Buffer.from('abc'))
          sink.end(['x-sum', '3'])
        },
        pause() {},
        resume() {},
        cancel() {},
      },
      bodyLength: undefined,
    })
    expect(response).toMatchObject({ status: 200 })
    expect(seen).toEqual(['abc', '3'])
  })

  it('is cancelled at the upstream when the client disconnects', async () => {
    let reset: (code: number) => void = () => {}
    const code = new Promise<number>((resolve) => {
      reset = resolve
    })
    let cancel = () => {}
    const { link } = await makeSetup((stream) => {
      stream.on('close', () => reset(stream.rstCode ?? 0))
      cancel()
    })
    const response = send(link, { onStart: (give) => (cancel = give) })
    expect(await response).toMatchObject({ kind: 'error', reason: 'cancelled' })
    expect(await code).toBe(constants.NGHTTP2_CANCEL)
  })

  it('fails if its body does', async () => {
    const { link } = await makeSetup(() => {})
    const body = { pipe: (sink: { fail(e: unknown): void }) => sink.fail('gone'), pause() {}, resume() {}, cancel() {} }
    const response = await send(link, { method: 'POST', body, bodyLength: undefined })
    expect(response).toMatchObject({ kind: 'error', reason: 'cancelled', cause: 'gone' })
  })
})

describe('an HTTP/2 response', () => {
  it('has its trailers at the end of the body, without those that are not forwarded', async () => {
    const { link } = await makeSetup((stream) => {
      stream.respond({ ':status': 200, trailer: 'grpc-status' }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '7', 'set-cookie': 'evil=1' }))
      stream.end('abc')
    })
    const response = (await send(link)) as UpstreamResponse
    expect(response.body).toMatchObject({ trailerNames: 'grpc-status' })
    expect(await read(response)).toEqual({ text: 'abc', trailers: ['grpc-status', '7'], failure: undefined })
  })

  it('keeps header fields that end the stream as headers', async () => {
    const { link } = await makeSetup((stream) => {
      stream.respond({ ':status': 200, 'grpc-status': '5' }, { endStream: true })
    })
    const response = (await send(link)) as UpstreamResponse
    expect(response).toMatchObject({ bodyLength: 0, body: new Uint8Array() })
    expect(response.headers).toContain('grpc-status')
  })

  it('has no body for HEAD, and keeps its length', async () => {
    const { link } = await makeSetup((stream) => {
      stream.respond({ ':status': 200, 'content-length': '12' }, { endStream: true })
    })
    expect(await send(link, { method: 'HEAD' })).toMatchObject({ body: undefined, bodyLength: 12 })
  })

  it('reads informational responses and forwards 102 and 103', async () => {
    const { link } = await makeSetup((stream, headers, count) => {
      stream.additionalHeaders({ ':status': 104 })
      stream.additionalHeaders({ ':status': 103, link: '</a>' })
      respondOk(stream, headers, count)
    })
    const interim: unknown[] = []
    const onInterim = (status: number, headers: readonly string[]) => interim.push([status, ...headers])
    expect(await send(link, { onInterim })).toMatchObject({ status: 200 })
    expect(interim).toEqual([[103, 'link', '</a>']])
  })

  it('is decompressed if the gateway asked for gzip, with its trailers', async () => {
    const { link } = await makeSetup((stream) => {
      stream.respond({ ':status': 200, 'content-encoding': 'gzip' }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '1' }))
      stream.end(gzipSync('long text'))
    })
    const response = (await send(link, { unpack: true })) as UpstreamResponse
    expect(response.headers).not.toContain('content-encoding')
    expect(await read(response)).toMatchObject({ text: 'long text', trailers: ['x-sum', '1'] })
  })

  it('passes a large body at the speed of its reader', async () => {
    const size = 3_000_000
    const { link } = await makeSetup((stream) => {
      stream.respond({ ':status': 200 })
      stream.end(Buffer.alloc(size, 'x'))
    })
    const { body } = (await send(link)) as UpstreamResponse
    let received = 0
    await new Promise<void>((resolve, reject) => {
      const stream = body as Exclude<typeof body, Uint8Array | undefined>
      stream.pipe({
        data(chunk) {
          received += chunk.length
          setImmediate(() => stream.resume())
          return false
        },
        end: () => resolve(),
        fail: reject,
      })
    })
    expect(received).toBe(size)
  })

  it('fails its body if the connection is lost in the middle', async () => {
    const { link, sessions } = await makeSetup((stream) => {
      stream.respond({ ':status': 200 })
      stream.write('abc')
    })
    const response = (await send(link)) as UpstreamResponse
    for (const session of sessions) session.destroy()
    expect((await read(response)).failure).toBeInstanceOf(Error)
  })

  it('ends a request whose body the upstream does not need', async () => {
    const { link } = await makeSetup(respondOk)
    let cancelled = false
    const cancel = () => {
      cancelled = true
    }
    const body = {
      pipe: (sink: { data(c: Uint8Array): boolean }) => void sink.data(Buffer.from('a')),
      pause() {},
      resume() {},
      cancel,
    }
    const response = (await send(link, { method: 'POST', body, bodyLength: undefined })) as UpstreamResponse
    expect((await read(response)).text).toBe('ok')
    expect(cancelled).toBe(true)
  })
})

describe('HTTP/2 sessions', () => {
  it('are shared by requests up to the limit of the upstream', async () => {
    const streams: ServerHttp2Stream[] = []
    const { link, opened } = await makeSetup((stream) => streams.push(stream), {
      settings: { maxConcurrentStreams: 2 },
    })
    const first = send(link)
    await expect.poll(() => streams.length).toBe(1)
    const rest = [send(link), send(link), send(link), send(link)]
    await expect.poll(() => streams.length).toBe(5)
    expect(opened()).toBe(3)
    for (const stream of streams) respondOk(stream, {}, 0)
    const all = await Promise.all([first, ...rest])
    expect(all.map((response) => 'status' in response && response.status)).toEqual([200, 200, 200, 200, 200])
  })

  it('are replaced after the upstream announced that it closes', async () => {
    const { link, sessions, opened } = await makeSetup(respondOk)
    await read((await send(link)) as UpstreamResponse)
    for (const session of sessions) session.goaway()
    const openedAfterNext = async () => {
      expect(await send(link)).toMatchObject({ status: 200 })
      return opened()
    }
    await expect.poll(openedAfterNext).toBe(2)
  })

  it('close when the last link is released and their requests have ended', async () => {
    const streams: ServerHttp2Stream[] = []
    const { link, sessions } = await makeSetup((stream) => streams.push(stream))
    const response = send(link)
    await expect.poll(() => streams.length).toBe(1)
    link.release()
    respondOk(streams[0] as ServerHttp2Stream, {}, 0)
    expect((await read((await response) as UpstreamResponse)).text).toBe('ok')
    await expect.poll(() => sessions.size).toBe(0)
  })

  it('send a request again that the upstream refused to process', async () => {
    const { link } = await makeSetup((stream, headers, count) => {
      if (count === 0) stream.close(constants.NGHTTP2_REFUSED_STREAM)
      else respondOk(stream, headers, count)
    })
    expect(await send(link, { method: 'POST', body: Buffer.from('a'), bodyLength: 1 })).toMatchObject({ status: 200 })
  })

  it('go through a proxy', async () => {
    const targets: string[] = []
    const proxy = createHttp1Server()
    proxy.on('connect', (request, client) => {
      targets.push(request.url ?? '')
      const [host = '', port = ''] = (request.url ?? '').split(':')
      const upstream = connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      client.on('error', () => {})
      upstream.on('error', () => {})
    })
    const proxyPort = await listen(proxy)
    closing.push(() => proxy.close())
    const { link } = await makeSetup(respondOk, { options: { proxyUrl: `http://127.0.0.1:${proxyPort}` } })
    expect(await send(link)).toMatchObject({ status: 200 })
    expect(targets).toHaveLength(1)
  })
})

describe('an HTTP/2 upstream fails a request', () => {
  it('that cannot connect', async () => {
    expect(await send(linkTo(1))).toMatchObject({ kind: 'error', reason: 'refused' })
  })

  it('if it does not speak HTTP/2', async () => {
    const server = createHttp1Server((_, response) => response.end('old'))
    const port = await listen(server)
    closing.push(() => server.close())
    expect(await send(linkTo(port))).toMatchObject({ kind: 'error', reason: 'broken' })
  })

  it('if it resets the stream or closes the connection before the head', async () => {
    const reset = await makeSetup((stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR))
    expect(await send(reset.link)).toMatchObject({ kind: 'error', reason: 'broken' })
    const server = createTcpServer((socket) => socket.once('data', () => socket.destroy()))
    const port = await listen(server)
    closing.push(() => server.close())
    expect(await send(linkTo(port))).toMatchObject({ kind: 'error', reason: 'broken' })
  })

  it('if no head arrives in time, and gives the next request another connection', async () => {
    const { link, opened } = await makeSetup((stream, headers, count) => {
      if (count > 0) respondOk(stream, headers, count)
    })
    expect(await send(link, { timeoutMs: 60 })).toMatchObject({ kind: 'error', reason: 'timeout' })
    expect(await send(link)).toMatchObject({ status: 200 })
    expect(opened()).toBe(2)
  })
})
