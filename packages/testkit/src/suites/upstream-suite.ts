/**
 * What every adapter of the Upstream port must do, shown against real servers: `echo-upstream` where politeness is
 * enough, `wire-server.ts` where it is not.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import {
  type ByteSink,
  type ByteStream,
  collect,
  headerOf,
  headersOf,
  type Upstream,
  type UpstreamAnswer,
  type UpstreamFault,
  type UpstreamLink,
  type UpstreamRequest,
} from '@turnpike/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EchoUpstream, startEchoUpstream } from '../echo-upstream/echo-upstream.ts'
import { startWireServer, type WireAnswer, type WireServer } from './wire-server.ts'

const hello = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'

/** Runs the suite; `make` gives a fresh adapter for every case, and the suite closes it. */
export function upstreamSuite(name: string, make: () => Upstream): void {
  describe(`${name}: the upstream port`, () => {
    let upstream: Upstream
    let echo: EchoUpstream
    const closing: (() => Promise<void>)[] = []
    beforeEach(async () => {
      upstream = make()
      echo = await startEchoUpstream()
    })
    afterEach(async () => {
      await upstream.close()
      await echo.close()
      for (const close of closing.splice(0)) await close()
    })

    const link = (origin: string) => upstream.connect(origin, { insecure: false })
    const toEcho = () => link(echo.url)
    async function wire(answer: WireAnswer): Promise<{ server: WireServer; to: UpstreamLink }> {
      const server = await startWireServer(answer)
      closing.push(server.close)
      return { server, to: link(server.origin) }
    }
    async function served(handler: Parameters<typeof createServer>[1]): Promise<UpstreamLink> {
      const server: Server = createServer(handler)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      closing.push(() => new Promise((resolve) => void server.closeAllConnections() ?? server.close(() => resolve())))
      return link(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    }

    describe('an answer', () => {
      test('brings status, headers and body', async () => {
        const answer = await answerOf(toEcho(), { path: '/a?status=201&header=X-Own:1&body=made' })
        expect(answer.status).toBe(201)
        expect(headerOf(answer.headers, 'x-own')).toBe('1')
        expect(await textOf(answer)).toBe('made')
      })

      test('short and complete is given whole', async () => {
        const { to } = await wire((_, socket) => socket.write(hello))
        const answer = await answerOf(to)
        expect(answer.body).toBeInstanceOf(Uint8Array)
        expect(answer.bodyLength).toBe(5)
      })

      test('empty is empty, not missing', async () => {
        const { to } = await wire((_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
        expect((await answerOf(to)).body).toHaveLength(0)
      })

      test('keeps headers that come twice, in order, names in lower case', async () => {
        const answer = await answerOf(toEcho(), { path: '/?header=Set-Cookie:a=1&header=Set-Cookie:b=2' })
        expect(headersOf(answer.headers, 'set-cookie')).toEqual(['a=1', 'b=2'])
        for (let i = 0; i < answer.headers.length; i += 2) {
          expect(answer.headers[i]).toBe(answer.headers[i]?.toLowerCase())
        }
      })

      test('keeps every byte of a header', async () => {
        const { to } = await wire((_, socket) => {
          socket.write(Buffer.from('HTTP/1.1 200 OK\r\nX-Name: J\xe4ger \xff\r\nContent-Length: 0\r\n\r\n', 'latin1'))
        })
        expect(headerOf((await answerOf(to)).headers, 'x-name')).toBe('J\xe4ger \xff')
      })

      test.each([204, 304])('%i has no body, and the connection is used again', async (status) => {
        const { server, to } = await wire((_, socket) => socket.write(`HTTP/1.1 ${status} x\r\nETag: "1"\r\n\r\n`))
        expect((await answerOf(to)).body).toBeUndefined()
        expect((await answerOf(to)).status).toBe(status)
        expect(server.connections).toBe(1)
      })

      test('to HEAD has no body and tells its length', async () => {
        const { to } = await wire((_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1234567\r\n\r\n'))
        const answer = await answerOf(to, { method: 'HEAD' })
        expect(answer.body).toBeUndefined()
        expect(answer.bodyLength).toBe(1_234_567)
      })

      test('comes after interim answers', async () => {
        const { to } = await wire((_, socket) => {
          socket.write('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')
          setTimeout(() => socket.write(hello), 20)
        })
        const answer = await answerOf(to)
        expect(answer.status).toBe(200)
        expect(headerOf(answer.headers, 'link')).toBeUndefined()
        expect(await textOf(answer)).toBe('hello')
      })

      test('comes after a 100 that nobody asked for', async () => {
        const { to } = await wire((_, socket) => {
          socket.write('HTTP/1.1 100 Continue\r\n\r\n')
          setTimeout(() => socket.write(hello), 20)
        })
        expect(await textOf(await answerOf(to))).toBe('hello')
        expect(await textOf(await answerOf(to))).toBe('hello')
      })

      test('of unknown length ends with the connection on HTTP/1.0', async () => {
        const { to } = await wire((_, socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nold but fine'))
        expect(await textOf(await answerOf(to))).toBe('old but fine')
      })

      test('whose head is there is handed on before its body ends', async () => {
        const { to } = await wire((_, socket) => {
          socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n')
          setTimeout(() => socket.write('3\r\ntwo\r\n0\r\n\r\n'), 150)
        })
        const startedAt = performance.now()
        const answer = await answerOf(to)
        expect(performance.now() - startedAt).toBeLessThan(120)
        expect(await textOf(answer)).toBe('onetwo')
      })
    })

    describe('a request', () => {
      test('goes out as it is given, path and query untouched', async () => {
        const path = '/a%2Fb/%20//c/../d?x=%zz&y=[1]|2'
        const answer = await answerOf(toEcho(), { path, headers: ['host', 'other.example', 'x-a', '1', 'x-a', '2'] })
        const told = JSON.parse(await textOf(answer))
        expect(told.url).toBe(path)
        expect(told.headers).toMatchObject({ host: 'other.example', 'x-a': '1, 2' })
      })

      test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s brings its body whole and its length', async (method) => {
        const told = await echoed(toEcho(), { method, body: Buffer.from('some body') })
        expect(told).toMatchObject({ method, body: 'some body', headers: { 'content-length': '9' } })
      })

      test('with a streaming body of known length tells the length', async () => {
        const told = await echoed(toEcho(), { method: 'POST', body: streamed(['ab', 'cd']), bodyLength: 4 })
        expect(told).toMatchObject({ body: 'abcd', headers: { 'content-length': '4' } })
      })

      test('with a streaming body of unknown length goes chunked', async () => {
        const told = await echoed(toEcho(), { method: 'POST', body: streamed(['ab', 'cd']) })
        expect(told).toMatchObject({ body: 'abcd', headers: { 'transfer-encoding': 'chunked' } })
        expect(told.headers).not.toHaveProperty('content-length')
      })

      test('tells one length only, whatever lengths and codings came with it', async () => {
        const headers = ['host', 'h', 'content-length', '99', 'content-length', '3', 'transfer-encoding', 'chunked']
        const { server, to } = await wire((_, socket) => socket.write(hello))
        await answerOf(to, {
          method: 'POST',
          headers: [...headers, 'expect', '100-continue'],
          body: Buffer.from('four'),
        })
        const lines = server.heads[0]?.toLowerCase().split('\r\n') ?? []
        expect(lines.filter((line) => /^(content-length|transfer-encoding|expect):/.test(line))).toEqual([
          'content-length: 4',
        ])
      })

      test('without a body tells no length, even when its headers do', async () => {
        const { server, to } = await wire((_, socket) => socket.write(hello))
        await answerOf(to, { headers: ['host', 'h', 'content-length', '5'] })
        expect(server.heads[0]).not.toMatch(/content-length/i)
      })

      test('whose body breaks off never reaches the upstream as a whole one', async () => {
        let complete = 0
        const to = await served((request, response) => {
          request.resume().on('end', () => complete++)
          request.on('error', () => response.destroy())
        })
        for (const bodyLength of [100, undefined]) {
          const result = await send(to, { method: 'POST', body: streamed(['abc'], { breaksOff: true }), bodyLength })
          expect(result.kind).toBe('fault')
        }
        expect(complete).toBe(0)
      })

      test('with characters beyond Latin-1 in a header sends their UTF-8 bytes', async () => {
        const { server, to } = await wire((_, socket) => socket.write(hello))
        expect((await answerOf(to, { headers: ['host', 'h', 'x-name', 'Žofie'] })).status).toBe(200)
        expect(Buffer.from(server.heads[0] ?? '', 'latin1').toString()).toContain('x-name: Žofie')
      })

      test('cannot smuggle a header line', async () => {
        const { server, to } = await wire((_, socket) => socket.write(hello))
        const result = await send(to, { headers: ['host', 'h', 'x-a', '1\r\nx-evil: 1'] })
        expect(result.kind).toBe('fault')
        expect(server.heads).toEqual([])
      })
    })

    describe('large bodies', () => {
      const size = 32 * 1024 * 1024

      test('come down whole, and no faster than the reader takes them', async () => {
        let written = 0
        const to = await served((_, response) => {
          const piece = Buffer.alloc(65_536, 'x')
          const fill = () => {
            while (written < size) {
              written += piece.length
              if (!response.write(piece)) return void response.once('drain', fill)
            }
            response.end()
          }
          response.writeHead(200, { 'content-length': size })
          fill()
        })
        const answer = await answerOf(to)
        expect(answer.bodyLength).toBe(size)
        const { sink, state } = slowSink(answer.body as ByteStream)
        ;(answer.body as ByteStream).pipe(sink)
        await sleep(300)
        expect(written).toBeLessThan(size)
        state.release()
        await state.done
        expect(state.bytes).toBe(size)
      })

      test('go up whole, and no faster than the upstream takes them', async () => {
        let received = 0
        let goOn = () => {}
        const to = await served((request, response) => {
          const held = new Promise<void>((resolve) => {
            goOn = resolve
          })
          request.on('data', (chunk: Buffer) => {
            received += chunk.length
          })
          request.pause()
          void held.then(() => request.resume())
          request.on('end', () => response.end(String(received)))
        })
        const body = pumped(size)
        const result = send(to, { method: 'POST', body: body.stream, bodyLength: size, timeoutMs: 10_000 })
        await sleep(300)
        expect(body.sent()).toBeLessThan(size)
        goOn()
        const answer = await result
        expect(await textOf(answer as UpstreamAnswer)).toBe(String(size))
      })

      test('that the upstream refuses half-way are cut, and its answer is handed on', async () => {
        const { to } = await wire((_, socket) => {
          socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig')
        })
        const body = pumped(64 * 1024)
        const answer = await answerOf(to, { method: 'POST', body: body.stream, bodyLength: 10 * 1024 * 1024 })
        expect(answer.status).toBe(413)
        await until(() => body.cancelled())
      })
    })

    describe('faults', () => {
      test('nobody listens: refused', async () => {
        const { server } = await wire(() => {})
        await server.close()
        expect(await send(link(server.origin))).toMatchObject({ kind: 'fault', reason: 'refused' })
      })

      test('nobody has the name: unknown-host', async () => {
        expect(await send(link('http://no-such-host.invalid'))).toMatchObject({ reason: 'unknown-host' })
      })

      test('no head in time: timeout', async () => {
        const { server, to } = await wire(() => {})
        const startedAt = performance.now()
        expect(await send(to, { timeoutMs: 200 })).toMatchObject({ kind: 'fault', reason: 'timeout' })
        expect(performance.now() - startedAt).toBeGreaterThan(180)
        expect(performance.now() - startedAt).toBeLessThan(1200)
        await until(() => server.open.size === 0)
      })

      test('a body that stalls fails; one that is only slow does not', async () => {
        const { to } = await wire(({ head }, socket) => {
          socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n')
          if (head.startsWith('GET /stall')) return
          let left = 6
          const timer = setInterval(() => {
            socket.write(--left > 0 ? '1\r\na\r\n' : '0\r\n\r\n')
            if (left === 0) clearInterval(timer)
          }, 100)
        })
        await expect(textOf(await answerOf(to, { path: '/stall', timeoutMs: 250 }))).rejects.toThrow()
        expect(await textOf(await answerOf(to, { path: '/slow', timeoutMs: 250 }))).toBe('aaaaaa')
      })

      test('a reader that holds back does not run into the timeout', async () => {
        const answer = await answerOf(toEcho(), { path: '/?bytes=5000000', timeoutMs: 150 })
        const { sink, state } = slowSink(answer.body as ByteStream)
        ;(answer.body as ByteStream).pipe(sink)
        await sleep(500)
        state.release()
        await state.done
        expect(state.bytes).toBe(5_000_000)
      })

      test('a client that sends slowly does not run into the timeout', async () => {
        const body = streamed(['a', 'b', 'c', 'd'], { everyMs: 120 })
        expect(await echoed(toEcho(), { method: 'POST', body, timeoutMs: 200 })).toMatchObject({ body: 'abcd' })
      })

      test('the connection is reset: broken', async () => {
        const { to } = await wire((_, socket) => socket.resetAndDestroy())
        expect(await send(to)).toMatchObject({ kind: 'fault', reason: 'broken' })
      })

      test.each([
        ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n'],
        ['two lengths that differ', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 3\r\n\r\nhello'],
        [
          'a length beside a coding',
          'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        ],
        ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}`],
      ])('%s: broken', async (_, bytes) => {
        const { to } = await wire((_request, socket) => socket.write(bytes))
        const result = await send(to, { timeoutMs: 2000 })
        expect(result).toMatchObject({ kind: 'fault', reason: 'broken' })
      })

      test.each([
        ['short, by length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
        ['nothing of it', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'],
        ['long, by length', `HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(100_000)}`],
        ['chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
        ['chunked, in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nhalf'],
      ])('an answer that breaks off after its head is no whole answer (%s)', async (_, bytes) => {
        for (const how of ['end', 'reset']) {
          const { to } = await wire((_request, socket) => {
            socket.write(bytes, () => (how === 'end' ? socket.end() : setTimeout(() => socket.resetAndDestroy(), 30)))
          })
          const answer = await answerOf(to)
          expect(answer.status).toBe(200)
          expect(answer.body).not.toBeInstanceOf(Uint8Array)
          await expect(collect(answer.body as ByteStream)).rejects.toBeDefined()
        }
      })
    })

    describe('giving up', () => {
      test('before the head: cancelled at once, and the upstream sees the connection go', async () => {
        const { server, to } = await wire(() => {})
        let cancel = () => {}
        const result = send(to, { onStart: (give) => void (cancel = give) })
        await until(() => server.heads.length === 1)
        cancel()
        expect(await result).toMatchObject({ kind: 'fault', reason: 'cancelled' })
        await until(() => server.open.size === 0)
      })

      test('before anything was sent: nothing is sent', async () => {
        const { server, to } = await wire((_, socket) => socket.write(hello))
        expect(await send(to, { onStart: (cancel) => cancel() })).toMatchObject({ reason: 'cancelled' })
        await sleep(50)
        expect(server.heads).toEqual([])
      })

      test('in the middle of a body: no further call on the sink, and the connection goes', async () => {
        const { server, to } = await wire((_, socket) => {
          socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n')
          const timer = setInterval(() => socket.write('1\r\na\r\n'), 10)
          socket.on('close', () => clearInterval(timer))
        })
        const body = (await answerOf(to)).body as ByteStream
        let calls = 0
        const count = () => ++calls > 0
        body.pipe({ data: count, end: count, fail: count })
        await until(() => calls > 2)
        body.cancel()
        const seen = calls
        await until(() => server.open.size === 0)
        expect(calls).toBe(seen)
      })
    })

    describe('connections', () => {
      test('are used again', async () => {
        const { server, to } = await wire((_, socket) => socket.write(hello))
        for (let i = 0; i < 20; i++) await answerOf(to)
        expect(server.connections).toBe(1)
      })

      test('are not used again when the upstream says so', async () => {
        const { server, to } = await wire((_, socket) => {
          socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok')
        })
        for (let i = 0; i < 5; i++) expect(await textOf(await answerOf(to))).toBe('ok')
        expect(server.connections).toBe(5)
      })

      test('that closed while idle cost a safe request nothing', async () => {
        // The server takes the second request of a connection and closes without a word, as one does whose
        // idle time ended while the request was on its way.
        const { server, to } = await wire(({ index }, socket) => (index === 0 ? socket.write(hello) : socket.destroy()))
        for (let i = 0; i < 5; i++) expect(await send(to)).toMatchObject({ kind: 'answer', status: 200 })
        expect(server.connections).toBe(5)
      })

      test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('a %s is never sent twice', async (method) => {
        const { server, to } = await wire(({ index }, socket) => (index === 0 ? socket.write(hello) : socket.destroy()))
        await answerOf(to)
        expect(await send(to, { method, body: Buffer.from('x') })).toMatchObject({ kind: 'fault', reason: 'broken' })
        expect(server.heads.length).toBe(2)
      })

      test('that are new give no second try', async () => {
        const { server, to } = await wire((_, socket) => socket.destroy())
        expect(await send(to)).toMatchObject({ kind: 'fault', reason: 'broken' })
        expect(server.heads.length).toBe(1)
      })

      test('that broke after the first byte of an answer give no second try', async () => {
        const { server, to } = await wire(({ index }, socket) => {
          if (index === 0) socket.write(hello)
          else socket.write('HTTP/1.1 200', () => socket.destroy())
        })
        await answerOf(to)
        expect(await send(to)).toMatchObject({ kind: 'fault', reason: 'broken' })
        expect(server.heads.length).toBe(2)
      })

      test('to one origin are shared by its links, and close when the last is released', async () => {
        const { server, to } = await wire((_, socket) => socket.write(hello))
        const second = link(server.origin)
        await answerOf(to)
        await answerOf(second)
        expect(server.connections).toBe(1)
        to.release()
        to.release()
        await answerOf(second)
        expect(server.connections).toBe(1)
        second.release()
        await until(() => server.open.size === 0)
      })

      test('end their calls before they close, and late calls of a released link still go out', async () => {
        const { server, to } = await wire((_, socket) => setTimeout(() => socket.write(hello), 100))
        const result = send(to)
        await until(() => server.heads.length === 1)
        to.release()
        expect(await result).toMatchObject({ kind: 'answer' })
        expect(await send(to)).toMatchObject({ kind: 'answer' })
        await until(() => server.open.size === 0)
      })

      test('carry many calls at once, each with its own answer', async () => {
        const to = toEcho()
        const told = await Promise.all(
          Array.from({ length: 200 }, (_, i) => echoed(to, { path: `/n${i}?delay=${i % 7}` })),
        )
        expect(told.map((one) => one.url)).toEqual(told.map((_, i) => `/n${i}?delay=${i % 7}`))
      })
    })

    describe('unpacking', () => {
      const text = 'zip zap '.repeat(20_000)
      const packed = gzipSync(text)
      const gzipped = (body: Buffer, cut = body.length) =>
        wire((_, socket) => {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${cut}\r\nX-A: 1\r\n\r\n`)
          socket.write(body.subarray(0, cut))
        })

      test('gives the plain answer when the gateway asked for gzip itself', async () => {
        const { to } = await gzipped(packed)
        const answer = await answerOf(to, { unpack: true })
        expect(await textOf(answer)).toBe(text)
        expect(headerOf(answer.headers, 'content-encoding')).toBeUndefined()
        expect(headerOf(answer.headers, 'content-length')).toBeUndefined()
        expect(headerOf(answer.headers, 'x-a')).toBe('1')
      })

      test('leaves the answer alone when the client asked', async () => {
        const { to } = await gzipped(packed)
        const answer = await answerOf(to, { unpack: false })
        expect(headerOf(answer.headers, 'content-encoding')).toBe('gzip')
        expect(Buffer.from(await bytesOf(answer)).equals(packed)).toBe(true)
      })

      test('works on long and chunked answers too', async () => {
        const long = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) >> 3))
        const to = await served((_, response) => {
          response.writeHead(200, { 'content-encoding': 'gzip' })
          response.end(gzipSync(long))
        })
        expect(Buffer.from(await bytesOf(await answerOf(to, { unpack: true }))).equals(long)).toBe(true)
      })

      test.each([
        ['cut short', packed.subarray(0, packed.length - 20)],
        ['not gzip at all', Buffer.from('this is plain text')],
      ])('fails on what is %s', async (_, body) => {
        const { to } = await gzipped(body)
        const answer = await answerOf(to, { unpack: true })
        await expect(bytesOf(answer)).rejects.toBeDefined()
      })
    })
  })
}

function send(link: UpstreamLink, request: Partial<UpstreamRequest> = {}): Promise<UpstreamAnswer | UpstreamFault> {
  return link.send({
    method: 'GET',
    path: '/',
    headers: ['host', 'test'],
    body: undefined,
    bodyLength: undefined,
    timeoutMs: 5000,
    unpack: false,
    ...request,
  })
}

async function answerOf(link: UpstreamLink, request: Partial<UpstreamRequest> = {}): Promise<UpstreamAnswer> {
  const result = await send(link, request)
  if (result.kind === 'answer') return result
  throw new Error(`no answer but ${result.reason}`, { cause: result.cause })
}

async function echoed(
  link: UpstreamLink,
  request: Partial<UpstreamRequest>,
): Promise<{ url: string; headers: Record<string, string> }> {
  return JSON.parse(await textOf(await answerOf(link, request)))
}

async function bytesOf({ body }: UpstreamAnswer): Promise<Uint8Array> {
  if (body === undefined || body instanceof Uint8Array) return body ?? new Uint8Array()
  return collect(body)
}

async function textOf(answer: UpstreamAnswer): Promise<string> {
  return Buffer.from(await bytesOf(answer)).toString()
}

/** A client's body: chunks one after the other, with an end or a break. */
function streamed(chunks: string[], how: { breaksOff?: boolean; everyMs?: number } = {}): ByteStream {
  let over = false
  return {
    pipe(sink) {
      const left = [...chunks]
      const step = () => {
        const chunk = left.shift()
        if (over) return
        if (chunk !== undefined) {
          sink.data(Buffer.from(chunk))
          setTimeout(step, how.everyMs ?? 1)
        } else if (how.breaksOff) sink.fail(new Error('the client went away'))
        else sink.end()
      }
      step()
    },
    pause() {},
    resume() {},
    cancel() {
      over = true
    },
  }
}

/** A client's body of so many bytes that comes as fast as it is taken. */
function pumped(size: number): { stream: ByteStream; sent(): number; cancelled(): boolean } {
  let sent = 0
  let over = false
  let flowing = false
  let sink: ByteSink | undefined
  const pump = () => {
    if (flowing || over || sink === undefined) return
    flowing = true
    let wanted = true
    while (wanted && sent < size && !over) {
      const chunk = Buffer.alloc(Math.min(65_536, size - sent), 'u')
      sent += chunk.length
      wanted = sink.data(chunk)
    }
    flowing = false
    if (sent < size || over) return
    over = true
    sink.end()
  }
  let cancelled = false
  return {
    stream: {
      pipe(to) {
        sink = to
        setImmediate(pump)
      },
      pause() {},
      resume: () => void setImmediate(pump),
      cancel() {
        cancelled = over = true
      },
    },
    sent: () => sent,
    cancelled: () => cancelled || over,
  }
}

/** A reader that takes one chunk and then holds back until it is released. */
function slowSink(stream: ByteStream) {
  const state = { bytes: 0, held: true, done: Promise.resolve(), release: () => {} }
  let sink: ByteSink | undefined
  state.done = new Promise((resolve, reject) => {
    sink = {
      data(chunk) {
        state.bytes += chunk.length
        return !state.held
      },
      end: resolve,
      fail: reject,
    }
  })
  state.release = () => {
    state.held = false
    stream.resume()
  }
  return { sink: sink as unknown as ByteSink, state }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; !condition(); i++) {
    if (i > 300) throw new Error('what was waited for never happened')
    await sleep(10)
  }
}
