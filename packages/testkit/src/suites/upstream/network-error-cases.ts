/** Cases for network errors before and after the head of a response. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type ByteStream, collect } from '@turnpike/core/http'
import { describe, expect, test } from 'vitest'
import { until } from '../wait.ts'
import { readSlowly, streamed } from './bodies.ts'
import { echoed, responseOf, send, textOf } from './requests.ts'
import type { UpstreamSetup } from './setup.ts'

export function networkErrorCases({ link, toEcho, wire }: UpstreamSetup): void {
  describe('network errors', () => {
    test('no server on the TCP port: refused', async () => {
      const { server } = await wire(() => {})
      await server.close()
      expect(await send(link(server.origin))).toMatchObject({ kind: 'error', reason: 'refused' })
    })

    test('no such host name: unknown-host', async () => {
      expect(await send(link('http://no-such-host.invalid'))).toMatchObject({ reason: 'unknown-host' })
    })

    test('no response head in time: timeout', async () => {
      const { server, to } = await wire(() => {})
      const startedAt = performance.now()
      expect(await send(to, { timeoutMs: 200 })).toMatchObject({ kind: 'error', reason: 'timeout' })
      expect(performance.now() - startedAt).toBeGreaterThan(180)
      expect(performance.now() - startedAt).toBeLessThan(1200)
      await until(() => server.open.size === 0)
    })

    test('a body that stalls fails, a slow body does not', async () => {
      const { to } = await wire(({ head }, socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n')
        if (head.startsWith('GET /stall')) return
        let left = 6
        const timer = setInterval(() => {
          socket.write(--left > 0 ? '1\r\na\r\n' : '0\r\n\r\n')
          if (left === 0) clearInterval(timer)
        }, 100)
      })
      await expect(textOf(await responseOf(to, { path: '/stall', timeoutMs: 250 }))).rejects.toThrow()
      expect(await textOf(await responseOf(to, { path: '/slow', timeoutMs: 250 }))).toBe('aaaaaa')
    })

    test('an event stream may be silent for longer than the timeout', async () => {
      const { to } = await wire((_request, socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n')
        setTimeout(() => socket.write('1\r\na\r\n0\r\n\r\n'), 3000)
      })
      expect(await textOf(await responseOf(to, { timeoutMs: 2000 }))).toBe('a')
    }, 20_000)

    test('a slow reader causes no timeout', async () => {
      const response = await responseOf(toEcho(), { path: '/?bytes=5000000', timeoutMs: 150 })
      const { state, done, release } = readSlowly(response.body as ByteStream)
      await sleep(500)
      release()
      await done
      expect(state.bytes).toBe(5_000_000)
    })

    test('a client that sends slowly causes no timeout', async () => {
      const body = streamed(['a', 'b', 'c', 'd'], { everyMs: 120 })
      expect(await echoed(toEcho(), { method: 'POST', body, timeoutMs: 200 })).toMatchObject({ body: 'abcd' })
    })

    test('the connection is reset: broken, by a reset', async () => {
      const { to } = await wire((_, socket) => socket.resetAndDestroy())
      expect(await send(to)).toMatchObject({ kind: 'error', reason: 'broken', detail: 'reset' })
    })

    test('the connection ends in order: broken, without a reset', async () => {
      const { to } = await wire((_, socket) => socket.end())
      const result = await send(to)
      expect(result).toMatchObject({ kind: 'error', reason: 'broken' })
      expect(result).not.toHaveProperty('detail')
    })

    test.each([
      ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
      ['two different lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 3\r\n\r\nhello'],
      [
        'a length and a transfer coding',
        'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      ['an endless head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}`],
    ])('%s: broken', async (_, bytes) => {
      const { to } = await wire((_request, socket) => socket.write(bytes))
      const result = await send(to, { timeoutMs: 2000 })
      expect(result).toMatchObject({ kind: 'error', reason: 'broken' })
    })

    test.each([
      ['too short', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
      ['empty', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'],
      ['too short, large', `HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(100_000)}`],
      ['chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
      ['chunked, in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nhalf'],
    ])('a response that breaks off after its head fails (%s)', async (_, bytes) => {
      for (const how of ['end', 'reset']) {
        const { to } = await wire((_request, socket) => {
          socket.write(bytes, () => (how === 'end' ? socket.end() : setTimeout(() => socket.resetAndDestroy(), 30)))
        })
        const response = await responseOf(to)
        expect(response.status).toBe(200)
        expect(response.body).not.toBeInstanceOf(Uint8Array)
        await expect(collect(response.body as ByteStream)).rejects.toBeDefined()
      }
    })
  })
}
