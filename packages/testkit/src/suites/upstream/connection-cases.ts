/** When connections are used again, closed, and when a request may go out a second time. */
import { describe, expect, test } from 'vitest'
import { until } from './bodies.ts'
import { hello, type UpstreamSetup } from './setup.ts'
import { answerOf, echoed, send, textOf } from './talk.ts'

export function connectionCases({ link, toEcho, wire }: UpstreamSetup): void {
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
}
