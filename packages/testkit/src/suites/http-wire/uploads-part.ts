/** Part of the front end suite: request bodies, their backpressure, and bodies that break off. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { ByteStream } from '@turnpike/core/http'
import { describe, expect } from 'vitest'
import { until } from '../wait.ts'
import { expectAlive, type FrontEndUnderTest, requestBytes, wireTest } from './front-end-under-test.ts'
import { openRaw } from './raw-exchange.ts'
import {
  digest,
  drain,
  inChunks,
  maxBufferedBytes,
  megabyte,
  pattern,
  sendPattern,
  untilStable,
} from './stream-tools.ts'
import { hasResponse, readResponses } from './wire-responses.ts'

export function uploadsPart(under: FrontEndUnderTest): void {
  const it = wireTest(under)

  describe('a request body', () => {
    it('arrives complete and in order, chunked or not', async ({ served }) => {
      const body = pattern(3 * megabyte)
      await served.request('POST /echo', [`Content-Length: ${body.length}`], body)
      await served.request('POST /echo', ['Transfer-Encoding: chunked'], inChunks(body, 70_001))
      for (const { body: read } of served.seen) expect(digest(read ?? '')).toBe(digest(body))
      expect(served.seen).toHaveLength(2)
    })

    it('can be streamed to the response', async ({ served }) => {
      const body = pattern(2 * megabyte)
      const response = await served.request('POST /through', [`Content-Length: ${body.length}`], body)
      expect(digest(response.body)).toBe(digest(body))
    })

    it('of 64 MB is held back while nobody reads it, and flows when it is read', async ({ served }) => {
      const total = 64 * megabyte
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('POST /unread', [`Content-Length: ${total}`]))
      const sender = sendPattern(client.socket, total)
      await until(() => served.bodies.length === 1)
      await untilStable(() => client.socket.bytesWritten - client.socket.writableLength)
      expect(sender.handedOver()).toBeLessThan(maxBufferedBytes)
      const read = drain(served.bodies[0] as ByteStream)
      await until(() => read.ended, 20_000)
      expect(read.bytes).toBe(total)
      client.socket.destroy()
    })

    it('can be paused and resumed by its reader', async ({ served }) => {
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

    it('that breaks off fails and never ends', async ({ served }) => {
      for (const bytes of [
        requestBytes('POST /echo', ['Content-Length: 10'], 'abc'),
        requestBytes('POST /echo', ['Transfer-Encoding: chunked'], 'a\r\nabc'),
        requestBytes('POST /echo', ['Transfer-Encoding: chunked'], '3\r\nabc\r\n'),
      ]) {
        await served.exchange(bytes, { waitMs: 40 })
      }
      await until(() => served.seen.length === 3 && served.seen.every(({ failure }) => failure !== undefined))
      expect(served.seen.map(({ body }) => body)).toEqual([undefined, undefined, undefined])
      expect(served.seen.map(({ aborted }) => aborted)).toEqual([true, true, true])
      await expectAlive(served)
    })

    it('that is not read does not block the response or the next request', async ({ served }) => {
      const body = 'x'.repeat(300_000)
      const bytes = requestBytes('POST /early', [`Content-Length: ${body.length}`])
      const { text } = await served.exchange(bytes, {
        waitMs: 3_000,
        later: [
          { afterMs: 50, bytes: body },
          { afterMs: 100, bytes: requestBytes('GET /now') },
        ],
        until: (it) => it.endsWith('now'),
      })
      expect(readResponses(text).map((response) => response.body)).toEqual(['early', 'now'])
    })

    it('fails if the client sends nothing for too long', async ({ serve }) => {
      const served = await serve({ bodyStallMs: 200 })
      const { text, closed } = await served.exchange(requestBytes('POST /echo', ['Content-Length: 10'], 'abc'), {
        waitMs: 2_000,
      })
      expect(closed).toBe(true)
      expect(text === '' || readResponses(text)[0]?.status === 408).toBe(true)
      await until(() => served.seen[0]?.failure !== undefined)
      expect(served.seen[0]?.body).toBeUndefined()
    })

    it('may take longer than the stall timeout if bytes keep arriving', async ({ serve }) => {
      const served = await serve({ bodyStallMs: 200 })
      const later = Array.from({ length: 10 }, (_, i) => ({ afterMs: 60 * (i + 1), bytes: 'x' }))
      const { text } = await served.exchange(requestBytes('POST /echo', ['Content-Length: 10']), {
        waitMs: 3_000,
        later,
        until: hasResponse,
      })
      expect(readResponses(text)[0]?.body).toBe('xxxxxxxxxx')
    })

    it('does not fail while the reader is slow', async ({ serve }) => {
      const served = await serve({ bodyStallMs: 100 })
      const total = 2 * megabyte
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('POST /unread', [`Content-Length: ${total}`]))
      sendPattern(client.socket, total)
      await until(() => served.bodies.length === 1)
      await sleep(600)
      const read = drain(served.bodies[0] as ByteStream)
      await until(() => read.ended)
      expect(read.bytes).toBe(total)
      client.socket.destroy()
    })
  })
}
