/** Part of the front end suite: bodies of requests, their backpressure, and what happens when they break off. */
import type { ByteStream } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { expectAlive, type FrontEndUnderTest, makeServer, pause, requestBytes, until } from './front-end-under-test.ts'
import { openRaw, rawExchange } from './raw-exchange.ts'
import { bufferedAtMost, digest, drain, inChunks, megabyte, pattern, quiet, sendPattern } from './stream-tools.ts'
import { hasResponse, readResponses } from './wire-responses.ts'

export function uploadsPart(under: FrontEndUnderTest): void {
  const serve = makeServer(under)

  describe('a body on its way up', () => {
    it('arrives whole and in order, chunked or not', async () => {
      const served = await serve()
      const body = pattern(3 * megabyte)
      await rawExchange(served.port, requestBytes('POST /echo', [`Content-Length: ${body.length}`], body), {
        waitMs: 5_000,
        until: hasResponse,
      })
      await rawExchange(
        served.port,
        requestBytes('POST /echo', ['Transfer-Encoding: chunked'], inChunks(body, 70_001)),
        {
          waitMs: 5_000,
          until: hasResponse,
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
          until: hasResponse,
        },
      )
      expect(digest(readResponses(text)[0]?.body ?? '')).toBe(digest(body))
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
      expect(readResponses(text).map((answer) => answer.body)).toEqual(['early', 'now'])
    })

    it('is cut when its client stands still, and the handler is told', async () => {
      const served = await serve({ bodyStallMs: 200 })
      const { text, closed } = await rawExchange(
        served.port,
        requestBytes('POST /echo', ['Content-Length: 10'], 'abc'),
        { waitMs: 2_000 },
      )
      expect(closed).toBe(true)
      expect(text === '' || readResponses(text)[0]?.status === 408).toBe(true)
      await until(() => served.seen[0]?.failure !== undefined)
      expect(served.seen[0]?.body).toBeUndefined()
    })

    it('may take longer than the time to stand still, as long as it moves', async () => {
      const served = await serve({ bodyStallMs: 200 })
      const later = Array.from({ length: 10 }, (_, i) => ({ afterMs: 60 * (i + 1), bytes: 'x' }))
      const { text } = await rawExchange(served.port, requestBytes('POST /echo', ['Content-Length: 10']), {
        waitMs: 3_000,
        later,
        until: hasResponse,
      })
      expect(readResponses(text)[0]?.body).toBe('xxxxxxxxxx')
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
}
