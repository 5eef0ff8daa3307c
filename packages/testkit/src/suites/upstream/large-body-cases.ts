/** Bodies longer than what anybody should hold in memory. */
import type { ByteStream, UpstreamAnswer } from '@turnpike/core'
import { describe, expect, test } from 'vitest'
import { pumped, sleep, slowSink, until } from './bodies.ts'
import type { UpstreamSetup } from './setup.ts'
import { answerOf, send, textOf } from './talk.ts'

export function largeBodyCases({ wire, served }: UpstreamSetup): void {
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
      const body = pumped(10 * 1024 * 1024)
      const answer = await answerOf(to, { method: 'POST', body: body.stream, bodyLength: 10 * 1024 * 1024 })
      expect(answer.status).toBe(413)
      await until(() => body.cancelled())
    })
  })
}
