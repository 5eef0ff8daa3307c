/** Part of the front end suite: bodies in both directions, backpressure, and what happens when they break off. */
import { createHash } from 'node:crypto'
import type { ByteStream } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { type FrontEndUnderTest, makeServer, pause, requestBytes, until } from './front-end-under-test.ts'
import { expectAlive, hasAnswer } from './messages-part.ts'
import { patternByte } from './pattern-stream.ts'
import { openRaw, rawExchange } from './raw-exchange.ts'
import { readAnswers, wireHeader } from './wire-answers.ts'

const megabyte = 1 << 20
/** What kernel buffers of both ends and one chunk of each layer may hold together, with much room. */
const bufferedAtMost = 24 * megabyte

export function streamsPart(under: FrontEndUnderTest): void {
  const serve = makeServer(under)

  describe('a body on its way up', () => {
    it('arrives whole and in order, chunked or not', async () => {
      const served = await serve()
      const body = pattern(3 * megabyte)
      await rawExchange(served.port, requestBytes('POST /echo', [`Content-Length: ${body.length}`], body), {
        waitMs: 5_000,
        until: hasAnswer,
      })
      await rawExchange(
        served.port,
        requestBytes('POST /echo', ['Transfer-Encoding: chunked'], inChunks(body, 70_001)),
        {
          waitMs: 5_000,
          until: hasAnswer,
        },
      )
      for (const { body: read } of served.seen) expect(digest(read ?? '')).toBe(digest(body))
      expect(served.seen).toHaveLength(2)
    })

    it('streams through to the answer', async () => {
      const served = await serve()
      const body = pattern(2 * megabyte)
      const { text } = await rawExchange(
        served.port,
        requestBytes('POST /through', [`Content-Length: ${body.length}`], body),
        {
          waitMs: 5_000,
          until: hasAnswer,
        },
      )
      expect(digest(readAnswers(text)[0]?.body ?? '')).toBe(digest(body))
    })

    it('of 64 MB that nobody reads is held back, and flows when it is read', async () => {
      const served = await serve()
      const total = 64 * megabyte
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('POST /unread', [`Content-Length: ${total}`]))
      const sender = sendPattern(client.socket, total)
      await until(() => served.bodies.length === 1)
      await quiet(() => client.socket.bytesWritten - client.socket.writableLength)
      expect(sender.handedOver()).toBeLessThan(bufferedAtMost)
      const read = drain(served.bodies[0] as ByteStream)
      await until(() => read.ended, 20_000)
      expect(read.bytes).toBe(total)
      client.socket.destroy()
    })

    it('may be paused and resumed by its reader', async () => {
      const served = await serve()
      const total = 8 * megabyte
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('POST /unread', [`Content-Length: ${total}`]))
      sendPattern(client.socket, total)
      await until(() => served.bodies.length === 1)
      const read = drain(served.bodies[0] as ByteStream, 100_000)
      await until(() => read.ended, 20_000)
      expect(read.bytes).toBe(total)
      expect(read.wrongAt).toBe(-1)
      client.socket.destroy()
    })

    it('that breaks off fails, and never ends', async () => {
      const served = await serve()
      for (const bytes of [
        requestBytes('POST /echo', ['Content-Length: 10'], 'abc'),
        requestBytes('POST /echo', ['Transfer-Encoding: chunked'], 'a\r\nabc'),
        requestBytes('POST /echo', ['Transfer-Encoding: chunked'], '3\r\nabc\r\n'),
      ]) {
        await rawExchange(served.port, bytes, { waitMs: 40 })
      }
      await until(() => served.seen.length === 3 && served.seen.every(({ failure }) => failure !== undefined))
      expect(served.seen.map(({ body }) => body)).toEqual([undefined, undefined, undefined])
      expect(served.seen.map(({ aborted }) => aborted)).toEqual([true, true, true])
      await expectAlive(served)
    })

    it('that is not read does not stand in the way of the answer and the next request', async () => {
      const served = await serve()
      const body = 'x'.repeat(300_000)
      const bytes = requestBytes('POST /early', [`Content-Length: ${body.length}`])
      const { text } = await rawExchange(served.port, bytes, {
        waitMs: 3_000,
        later: [
          { afterMs: 50, bytes: body },
          { afterMs: 100, bytes: requestBytes('GET /now') },
        ],
        until: (it) => it.endsWith('now'),
      })
      expect(readAnswers(text).map((answer) => answer.body)).toEqual(['early', 'now'])
    })

    it('is cut when its client stands still, and the handler is told', async () => {
      const served = await serve({ bodyStallMs: 200 })
      const { text, closed } = await rawExchange(
        served.port,
        requestBytes('POST /echo', ['Content-Length: 10'], 'abc'),
        { waitMs: 2_000 },
      )
      expect(closed).toBe(true)
      expect(text === '' || readAnswers(text)[0]?.status === 408).toBe(true)
      await until(() => served.seen[0]?.failure !== undefined)
      expect(served.seen[0]?.body).toBeUndefined()
    })

    it('may take longer than the time to stand still, as long as it moves', async () => {
      const served = await serve({ bodyStallMs: 200 })
      const later = Array.from({ length: 10 }, (_, i) => ({ afterMs: 60 * (i + 1), bytes: 'x' }))
      const { text } = await rawExchange(served.port, requestBytes('POST /echo', ['Content-Length: 10']), {
        waitMs: 3_000,
        later,
        until: hasAnswer,
      })
      expect(readAnswers(text)[0]?.body).toBe('xxxxxxxxxx')
    })

    it('is not cut while the reader is the slow one', async () => {
      const served = await serve({ bodyStallMs: 100 })
      const total = 2 * megabyte
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('POST /unread', [`Content-Length: ${total}`]))
      sendPattern(client.socket, total)
      await until(() => served.bodies.length === 1)
      await pause(600)
      const read = drain(served.bodies[0] as ByteStream)
      await until(() => read.ended)
      expect(read.bytes).toBe(total)
      client.socket.destroy()
    })
  })

  describe('a body on its way down', () => {
    it.each(['known', 'unknown'])('arrives whole, its length %s', async (length) => {
      const served = await serve()
      const total = 3 * megabyte + 17
      const path = `/bytes?bytes=${total}${length === 'known' ? '&known' : ''}`
      const { text } = await rawExchange(served.port, requestBytes(`GET ${path}`), { waitMs: 5_000, until: hasAnswer })
      const [answer] = readAnswers(text)
      expect(digest(answer?.body ?? '')).toBe(digest(pattern(total)))
      expect(wireHeader(answer, 'content-length')).toBe(length === 'known' ? String(total) : undefined)
    })

    it.each(['/bytes?bytes=0', '/bytes?bytes=0&known'])('may be a stream without a byte: %s', async (path) => {
      const served = await serve()
      const { text } = await rawExchange(served.port, requestBytes(`GET ${path}`), { until: hasAnswer })
      expect(readAnswers(text)[0]).toMatchObject({ status: 200, body: '', complete: true })
    })

    it.each(['', '&known'])(
      'of 64 MB that the client does not take is held back, and flows when it reads on %s',
      async (known) => {
        const served = await serve()
        const total = 64 * megabyte
        const client = await openRaw(served.port)
        client.socket.pause()
        client.socket.removeAllListeners('data')
        client.socket.write(requestBytes(`GET /bytes?bytes=${total}${known}`))
        await until(() => served.streams.length === 1)
        await quiet(() => served.streams[0]?.pushed ?? 0)
        expect(served.streams[0]?.pushed).toBeLessThan(bufferedAtMost)
        let came = 0
        client.socket.on('data', (chunk: Uint8Array) => {
          came += chunk.length
        })
        client.socket.resume()
        await until(() => came >= total, 20_000)
        client.socket.destroy()
      },
    )

    it.each(['', '&known'])('that breaks off is never ended well %s', async (known) => {
      const served = await serve()
      const { text, closed } = await rawExchange(
        served.port,
        requestBytes(`GET /bytes?bytes=500000&failAfter=200000${known}`),
        { waitMs: 2_000 },
      )
      expect(closed).toBe(true)
      expect(hasAnswer(text)).toBe(false)
      await expectAlive(served)
    })

    it.each([
      ['shorter', 1_000, 2_000],
      ['longer', 2_000, 1_000],
    ])('that is %s than announced is broken off', async (_word, bytes, told) => {
      const served = await serve()
      const { text, closed } = await rawExchange(served.port, requestBytes(`GET /lies?bytes=${bytes}&told=${told}`), {
        waitMs: 2_000,
      })
      expect(closed).toBe(true)
      expect(text.split('\r\n\r\n')[1]?.length ?? 0).toBeLessThanOrEqual(told)
      if (bytes < told) expect(hasAnswer(text)).toBe(false)
      await expectAlive(served)
    })

    it('is cancelled when the client goes away', async () => {
      const served = await serve()
      const client = await openRaw(served.port)
      client.socket.pause()
      client.socket.write(requestBytes(`GET /bytes?bytes=${64 * megabyte}`))
      await until(() => served.streams.length === 1)
      await quiet(() => served.streams[0]?.pushed ?? 0)
      client.socket.resetAndDestroy()
      await until(() => served.streams[0]?.cancelled === true)
      expect(served.seen[0]?.aborted).toBe(true)
    })

    it('is cut when the client takes nothing for too long', async () => {
      const served = await serve({ bodyStallMs: 200 })
      const client = await openRaw(served.port)
      client.socket.pause()
      client.socket.write(requestBytes(`GET /bytes?bytes=${64 * megabyte}`))
      await until(() => served.streams[0]?.cancelled === true)
      client.socket.destroy()
    })

    it('of events shows its head before the first event', async () => {
      const served = await serve()
      const { text } = await rawExchange(served.port, requestBytes('GET /events'), {
        waitMs: 1_500,
        until: (it) => it.includes('\r\n\r\n'),
      })
      expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      await until(() => served.streams[0]?.cancelled === true)
    })
  })

  describe('a client that goes away', () => {
    it('is told to the last listener once, while the handler is still at work', async () => {
      const served = await serve()
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('GET /held'))
      await until(() => served.seen.length === 1)
      const told: string[] = []
      served.seen[0]?.request.onAbort(() => told.push('replaced'))
      served.seen[0]?.request.onAbort(() => told.push('last'))
      client.socket.destroy()
      await until(() => told.length > 0)
      served.held[0]?.()
      await pause(30)
      expect(told).toEqual(['last'])
      await expectAlive(served)
    })

    it('leaves a late answer’s stream cancelled', async () => {
      const served = await serve()
      let give: (() => void) | undefined
      let cancelled = false
      const cancel = () => {
        cancelled = true
      }
      const late = await serve({}, () => {
        const body: ByteStream = { pipe() {}, pause() {}, resume() {}, cancel }
        return new Promise((resolve) => {
          give = () => resolve({ status: 200, headers: [], body })
        })
      })
      const client = await openRaw(late.port)
      client.socket.write(requestBytes('GET /'))
      await until(() => give !== undefined)
      client.socket.destroy()
      await pause(50)
      give?.()
      await until(() => cancelled)
      await expectAlive(served)
    })

    it('in the middle of a head harms nobody', async () => {
      const served = await serve()
      for (const part of ['G', 'GET /x HT', 'GET /x HTTP/1.1\r\nHos', 'GET /x HTTP/1.1\r\nHost: a.test\r\n']) {
        await rawExchange(served.port, part, { waitMs: 20 })
        await rawExchange(served.port, part, { waitMs: 20, end: true })
      }
      expect(served.seen).toHaveLength(0)
      await expectAlive(served)
    })

    it('two hundred at once in the middle of a body leave nothing behind', async () => {
      const served = await serve()
      const clients = await Promise.all(Array.from({ length: 200 }, () => openRaw(served.port)))
      for (const { socket } of clients) socket.write(requestBytes('POST /unread', ['Content-Length: 100000'], 'abc'))
      await until(() => served.seen.length === 200)
      for (const { socket } of clients) socket.resetAndDestroy()
      await until(() => served.seen.every(({ aborted }) => aborted))
      await expectAlive(served)
    })
  })
}

function pattern(length: number): string {
  const bytes = Buffer.alloc(length)
  for (let i = 0; i < length; i++) bytes[i] = patternByte(i)
  return bytes.toString('latin1')
}

function inChunks(body: string, size: number): string {
  const parts: string[] = []
  for (let at = 0; at < body.length; at += size) {
    const part = body.slice(at, at + size)
    parts.push(`${part.length.toString(16)}\r\n${part}\r\n`)
  }
  return `${parts.join('')}0\r\n\r\n`
}

function digest(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex')
}

/** Sends the pattern as fast as the socket takes it; `handedOver` counts what left for the kernel or waits in the socket. */
function sendPattern(socket: NodeJS.WritableStream, total: number): { handedOver(): number } {
  let sent = 0
  const push = () => {
    while (sent < total) {
      const chunk = Buffer.alloc(Math.min(65_536, total - sent))
      for (let i = 0; i < chunk.length; i++) chunk[i] = patternByte(sent + i)
      sent += chunk.length
      if (!socket.write(chunk)) {
        socket.once('drain', push)
        return
      }
    }
  }
  push()
  return { handedOver: () => sent }
}

/** Reads a body to its end; with `pauseEvery`, pausing for a turn each time so many bytes came. */
function drain(
  stream: ByteStream,
  pauseEvery = Number.POSITIVE_INFINITY,
): { bytes: number; ended: boolean; wrongAt: number } {
  const read = { bytes: 0, ended: false, wrongAt: -1 }
  let next = pauseEvery
  stream.pipe({
    data(chunk) {
      if (read.wrongAt < 0 && chunk[0] !== patternByte(read.bytes)) read.wrongAt = read.bytes
      read.bytes += chunk.length
      if (read.bytes < next) return true
      next = read.bytes + pauseEvery
      setTimeout(() => stream.resume(), 1)
      return false
    },
    end() {
      read.ended = true
    },
    fail() {},
  })
  return read
}

/** Waits until a number stops growing. */
async function quiet(count: () => number): Promise<void> {
  let last = -1
  while (count() !== last || last === 0) {
    last = count()
    await pause(120)
  }
}
