/** What goes wrong, before the head of an answer and after it. */
import { type ByteStream, collect } from '@turnpike/core'
import { describe, expect, test } from 'vitest'
import { sleep, slowSink, streamed, until } from './bodies.ts'
import type { UpstreamSetup } from './setup.ts'
import { answerOf, echoed, send, textOf } from './talk.ts'

export function faultCases({ link, toEcho, wire }: UpstreamSetup): void {
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

    test('an event stream may be silent for longer than the timeout', async () => {
      const { to } = await wire((_request, socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n')
        setTimeout(() => socket.write('1\r\na\r\n0\r\n\r\n'), 3000)
      })
      expect(await textOf(await answerOf(to, { timeoutMs: 2000 }))).toBe('a')
    }, 20_000)

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
}
