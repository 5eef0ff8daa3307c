/** Cases for the reuse and closing of connections, and for retries. */

import { describe, expect, test } from 'vitest'
import { until } from '../wait.ts'

import { echoed, responseOf, send, textOf } from './requests.ts'
import { hello, type UpstreamSetup } from './setup.ts'

export function connectionCases({ link, toEcho, wire }: UpstreamSetup): void {
  describe('connections', () => {
    test('are reused', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      for (let i = 0; i < 20; i++) await responseOf(to)
      expect(server.connections).toBe(1)
    })

    test('are not reused if the upstream sends Connection: close', async () => {
      const { server, to } = await wire((_, socket) => {
        socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok')
      })
      for (let i = 0; i < 5; i++) expect(await textOf(await responseOf(to))).toBe('ok')
      expect(server.connections).toBe(5)
    })

    test('that were closed while idle do not fail a safe request', async () => {
      // The server closes the connection on its second request, like a server whose idle timeout ends while the request
      // is in transit.
      const { server, to } = await wire(({ index }, socket) => (index === 0 ? socket.write(hello) : socket.destroy()))
      for (let i = 0; i < 5; i++) expect(await send(to)).toMatchObject({ kind: 'response', status: 200 })
      expect(server.connections).toBe(5)
    })

    test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('a %s is never retried', async (method) => {
      const { server, to } = await wire(({ index }, socket) => (index === 0 ? socket.write(hello) : socket.destroy()))
      await responseOf(to)
      expect(await send(to, { method, body: Buffer.from('x') })).toMatchObject({ kind: 'error', reason: 'broken' })
      expect(server.heads.length).toBe(2)
    })

    test('that are new cause no retry', async () => {
      const { server, to } = await wire((_, socket) => socket.destroy())
      expect(await send(to)).toMatchObject({ kind: 'error', reason: 'broken' })
      expect(server.heads.length).toBe(1)
    })

    test('that break after the first byte of a response cause no retry', async () => {
      const { server, to } = await wire(({ index }, socket) => {
        if (index === 0) socket.write(hello)
        else socket.write('HTTP/1.1 200', () => socket.destroy())
      })
      await responseOf(to)
      expect(await send(to)).toMatchObject({ kind: 'error', reason: 'broken' })
      expect(server.heads.length).toBe(2)
    })

    test('to one origin are shared by its links and closed when the last link is released', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      const second = link(server.origin)
      await responseOf(to)
      await responseOf(second)
      expect(server.connections).toBe(1)
      to.release()
      to.release()
      await responseOf(second)
      expect(server.connections).toBe(1)
      second.release()
      await until(() => server.open.size === 0)
    })

    test('complete their requests before they close, and a released link can still send requests', async () => {
      const { server, to } = await wire((_, socket) => setTimeout(() => socket.write(hello), 100))
      const result = send(to)
      await until(() => server.heads.length === 1)
      to.release()
      expect(await result).toMatchObject({ kind: 'response' })
      expect(await send(to)).toMatchObject({ kind: 'response' })
      await until(() => server.open.size === 0)
    })

    test('serve many concurrent requests, each with its own response', async () => {
      const to = toEcho()
      const received = await Promise.all(
        Array.from({ length: 200 }, (_, i) => echoed(to, { path: `/n${i}?delay=${i % 7}` })),
      )
      expect(received.map((one) => one.url)).toEqual(received.map((_, i) => `/n${i}?delay=${i % 7}`))
    })
  })
}
