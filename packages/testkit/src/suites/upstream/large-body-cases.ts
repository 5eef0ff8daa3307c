/** Cases for bodies that must not be buffered in memory. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { ByteStream } from '@turnpike/core/http'
import type { UpstreamResponse } from '@turnpike/core/ports'
import { describe, expect, test } from 'vitest'
import { makePatternStream } from '../http-wire/pattern-stream.ts'
import { until } from '../wait.ts'
import { readSlowly } from './bodies.ts'
import { responseOf, send, textOf } from './requests.ts'
import type { UpstreamSetup } from './setup.ts'

export function largeBodyCases({ wire, served }: UpstreamSetup): void {
  describe('large bodies', () => {
    const size = 32 * 1024 * 1024

    test('are received completely and no faster than the reader reads', async () => {
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
      const response = await responseOf(to)
      expect(response.bodyLength).toBe(size)
      const { state, done, release } = readSlowly(response.body as ByteStream)
      await sleep(300)
      expect(written).toBeLessThan(size)
      release()
      await done
      expect(state.bytes).toBe(size)
    })

    test('are sent completely and no faster than the upstream reads', async () => {
      let received = 0
      let continueReading = () => {}
      const to = await served((request, response) => {
        const held = new Promise<void>((resolve) => {
          continueReading = resolve
        })
        request.on('data', (chunk: Buffer) => {
          received += chunk.length
        })
        request.pause()
        void held.then(() => request.resume())
        request.on('end', () => response.end(String(received)))
      })
      const body = makePatternStream({ total: size })
      const result = send(to, { method: 'POST', body, bodyLength: size, timeoutMs: 10_000 })
      await sleep(300)
      expect(body.pushed).toBeLessThan(size)
      continueReading()
      const response = await result
      expect(await textOf(response as UpstreamResponse)).toBe(String(size))
    })

    test('in a chunk for each byte reach the reader in few pieces', async () => {
      const bytes = 200_000
      const { to } = await wire((_, socket) => {
        const chunks = '1\r\nx\r\n'.repeat(bytes)
        socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)
      })
      const { body } = await responseOf(to)
      let pieces = 0
      let received = 0
      await new Promise<void>((resolve, reject) => {
        ;(body as ByteStream).pipe({
          data(chunk) {
            pieces++
            received += chunk.length
            return true
          },
          end: () => resolve(),
          fail: reject,
        })
      })
      expect(received).toBe(bytes)
      // A piece for each read of the socket, which can return less than its buffer holds.
      expect(pieces).toBeLessThan(bytes / 100)
    })

    test('that the upstream rejects early are cancelled, and its response is returned', async () => {
      const { to } = await wire((_, socket) => {
        socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig')
      })
      const total = 10 * 1024 * 1024
      const body = makePatternStream({ total })
      const response = await responseOf(to, { method: 'POST', body, bodyLength: total })
      expect(response.status).toBe(413)
      await until(() => body.cancelled || body.pushed === total)
    })
  })
}
