/** Tests of single connections at byte level, in addition to the test suite of the port. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { ByteSink, ByteStream } from '@turnpike/core/http'
import type { UpstreamLink, UpstreamResponse } from '@turnpike/core/ports'
import { send } from '@turnpike/testkit/suites/upstream-suite'
import { afterEach, describe, expect, test } from 'vitest'
import { realClock } from '../../test/real-clock.ts'
import { makeHttp1Upstream } from './http1-upstream.ts'

const closing: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Server {
  readonly link: UpstreamLink
  /** The received chunks of each connection. */
  readonly connections: string[][]
}

/** Starts a server that calls `onChunk` for each received chunk. */
async function serve(
  onChunk: (socket: Socket, piece: string, connection: number) => void,
  options: { readonly maxConnections?: number } = {},
): Promise<Server> {
  const connections: string[][] = []
  const server = createServer((socket) => {
    const pieces: string[] = []
    const index = connections.push(pieces) - 1
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      pieces.push(chunk.toString('latin1'))
      onChunk(socket, chunk.toString('latin1'), index)
    })
    closing.push(async () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const upstream = makeHttp1Upstream({ ...options, clock: realClock })
  closing.push(() => upstream.close())
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { link: upstream.connect(origin, { insecure: false }), connections }
}

const textOf = (response: unknown) => Buffer.from((response as UpstreamResponse).body as Uint8Array).toString()
const ok = (body: string, more = '') => `HTTP/1.1 200 OK\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`

describe('a connection', () => {
  test('is not reused if bytes follow a response, and these are discarded', async () => {
    const { link, connections } = await serve((socket, _, index) => {
      socket.write(index === 0 ? ok('one') + ok('stolen') : ok('two'))
    })
    expect(textOf(await send(link))).toBe('one')
    expect(textOf(await send(link))).toBe('two')
    expect(connections.length).toBe(2)
  })

  test.each(['POST', 'GET'])('that the upstream closes with its response carries no second %s', async (method) => {
    const { link, connections } = await serve((socket) => socket.end(ok('ok')))
    for (let i = 0; i < 20; i++) expect(textOf(await send(link, { method }))).toBe('ok')
    expect(connections.length).toBe(20)
  })

  test('that the upstream closes with its response carries no request that waited for it', async () => {
    const { link } = await serve((socket) => socket.end(ok('ok')), { maxConnections: 1 })
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(link, { method: 'POST' })))
    expect(responses.map(textOf)).toEqual(Array(10).fill('ok'))
  })

  test('carries a request in one piece with the body chunk that is already there', async () => {
    const { link, connections } = await serve((socket) => socket.write(ok('ok')))
    const stream: ByteStream = {
      pipe(sink) {
        sink.data(Buffer.from('abcd'))
        sink.end()
      },
      pause() {},
      resume() {},
      cancel() {},
    }
    await send(link, { method: 'POST', body: stream, bodyLength: 4 })
    expect(connections).toEqual([[expect.stringMatching(/\r\n\r\nabcd$/)]])
  })

  test('is closed if bytes arrive while it is idle', async () => {
    let sent = () => {}
    const late = new Promise<void>((resolve) => {
      sent = resolve
    })
    const { link, connections } = await serve((socket, _, index) => {
      socket.write(ok(`${index}`))
      if (index === 0) setTimeout(() => socket.write(ok('stolen'), sent), 20)
      if (index === 0) socket.on('close', () => sent())
    })
    expect(textOf(await send(link))).toBe('0')
    await late
    await expect.poll(async () => textOf(await send(link)), { timeout: 10_000 }).toBe('1')
    expect(connections.flat().join('')).not.toContain('stolen')
  })

  test('is not reused after HEAD or after a GET with a body', async () => {
    const { link, connections } = await serve((socket, piece) => {
      socket.write(piece.startsWith('HEAD') ? 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n' : ok('ok'))
    })
    await send(link, { method: 'HEAD' })
    await send(link, { body: Buffer.from('x') })
    await send(link)
    await send(link)
    expect(connections.map((pieces) => pieces.length)).toEqual([1, 1, 2])
  })

  test('is not reused if the upstream keeps it for one second only', async () => {
    const { link, connections } = await serve((socket) => socket.write(ok('ok', 'Keep-Alive: timeout=1\r\n')))
    await send(link)
    await send(link)
    expect(connections.length).toBe(2)
  })

  test('does not keep the process alive while idle, and can be reused', async () => {
    const { link, connections } = await serve((socket) => socket.write(ok('ok')))
    const alive = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
    await send(link)
    const before = alive()
    await expect.poll(alive, { timeout: 10_000, interval: 10 }).toBeLessThan(before)
    await send(link)
    expect(connections.length).toBeLessThanOrEqual(2)
  })

  test('to an HTTP/1.0 upstream is reused only with Connection: keep-alive', async () => {
    const { link, connections } = await serve((socket, _, index) => {
      const kept = index === 0 ? '' : 'Connection: keep-alive\r\n'
      socket.write(`HTTP/1.0 200 OK\r\n${kept}Content-Length: 2\r\n\r\nok`)
    })
    for (let i = 0; i < 4; i++) await send(link)
    expect(connections.map((pieces) => pieces.length)).toEqual([1, 3])
  })

  test('sends a short request and its body in one chunk', async () => {
    const { link, connections } = await serve((socket) => socket.write(ok('ok')))
    await send(link, { method: 'POST', body: Buffer.from('h\xe4llo', 'latin1') })
    expect(connections[0]?.length).toBe(1)
    expect(connections[0]?.[0]).toMatch(/content-length: 5\r\n\r\nh\xe4llo$/)
  })

  test('sends a long body completely', async () => {
    const body = Buffer.alloc(500_000, 'abc')
    const { link, connections } = await serve((socket) => {
      const text = connections[0]?.join('') ?? ''
      if (text.length - text.indexOf('\r\n\r\n') - 4 === body.length) socket.write(ok('ok'))
    })
    expect(textOf(await send(link, { method: 'PUT', body }))).toBe('ok')
    expect(connections[0]?.join('').endsWith(body.toString())).toBe(true)
  })

  test.each([
    ['longer', ['abcd', 'ef']],
    ['shorter', ['ab']],
  ])('fails the call if a streaming body is %s than announced', async (_, chunks) => {
    const { link, connections } = await serve(() => {})
    const stream: ByteStream = {
      pipe(sink) {
        for (const chunk of chunks) sink.data(Buffer.from(chunk))
        sink.end()
      },
      pause() {},
      resume() {},
      cancel() {},
    }
    expect(await send(link, { method: 'POST', body: stream, bodyLength: 5 })).toMatchObject({ kind: 'error' })
    expect(connections.flat().join('')).not.toMatch(/\r\n\r\n.{5,}/)
  })

  test('continues after the reader was paused', async () => {
    const { link } = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n0\r\n')
      setTimeout(() => socket.write('1\r\n1\r\n1\r\n2\r\n1\r\n3\r\n'), 30)
      setTimeout(() => socket.write('1\r\n4\r\n0\r\n\r\n'), 60)
    })
    const body = ((await send(link)) as UpstreamResponse).body as ByteStream
    let text = ''
    await new Promise<void>((resolve, reject) => {
      const sink: ByteSink = {
        data(chunk) {
          text += Buffer.from(chunk).toString()
          if (text.endsWith('1')) return false
          return true
        },
        end: () => resolve(),
        fail: reject,
      }
      body.pipe(sink)
      const timer = setInterval(() => {
        body.resume()
        if (text.endsWith('4')) clearInterval(timer)
      }, 5)
      closing.push(async () => clearInterval(timer))
    })
    expect(text).toBe('01234')
  })

  test.each([
    ['an unrequested upgrade', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['an unsupported transfer coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx'],
    ['a folded line', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n'],
    ['lines that end with carriage returns', 'HTTP/1.1 200 OK\rContent-Length: 2\r\rok'],
    ['two different lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
    ['a blank before a colon', 'HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok'],
    ['a tab after a length', 'HTTP/1.1 200 OK\r\nContent-Length: 2 \t\r\n\r\nok'],
    ['a length with a sign', 'HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok'],
    ['a length with too many digits', 'HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nok'],
    ['a zero byte in a value', 'HTTP/1.1 200 OK\r\nX: \0\r\nContent-Length: 2\r\n\r\nok'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['another version', 'HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
  ])('fails the call for %s', async (_, bytes) => {
    const { link } = await serve((socket) => socket.write(Buffer.from(bytes, 'latin1')))
    expect(await send(link)).toMatchObject({ kind: 'error', reason: 'broken' })
  })

  test.each([
    ['a size that is not a number', 'x\r\n'],
    ['a size with too many digits', `${'f'.repeat(20)}\r\n`],
    ['data longer than their chunk', '2\r\nokay\r\n0\r\n\r\n'],
    ['a line feed alone behind a size', '2\nok\r\n0\r\n\r\n'],
    ['a malformed trailer', '2\r\nok\r\n0\r\nno colon\r\n\r\n'],
    ['an extension without end', `2;${'a'.repeat(100_000)}`],
  ])('fails the body for chunks with %s', async (_, chunks) => {
    const { link } = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n`)
      setTimeout(() => socket.write(chunks), 20)
    })
    const result = await send(link)
    if (result.kind === 'error') return
    expect(result.body).not.toBeInstanceOf(Uint8Array)
    const failed = new Promise((resolve, reject) => {
      ;(result.body as ByteStream).pipe({ data: () => true, end: () => reject(new Error('whole')), fail: resolve })
    })
    await expect(failed).resolves.toBeDefined()
  })
})
