/** Test cases of the connection pool that both HTTP clients share. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ByteStream } from '@turnpike/core/http'
import type { Upstream, UpstreamResponse } from '@turnpike/core/ports'
import { describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../wait.ts'
import { streamed } from './bodies.ts'
import { responseOf, send, textOf } from './requests.ts'
import type { EchoServer } from './setup.ts'
import { startWireServer, type WireHandler } from './wire-server.ts'

/** Declares the cases. `startEcho` is that of `UpstreamUnderTest`. */
export function connectionPoolCases(
  makeUpstream: (options: { readonly maxConnections?: number }) => Upstream,
  startEcho: () => Promise<EchoServer>,
): void {
  const make = (options: { readonly maxConnections?: number } = {}) => {
    const upstream = makeUpstream(options)
    onTestFinished(() => upstream.close())
    return upstream
  }
  const echo = async () => {
    const server = await startEcho()
    onTestFinished(() => server.close())
    return server.url
  }
  const wire = async (handler: WireHandler) => {
    const server = await startWireServer(handler)
    onTestFinished(() => server.close())
    return server
  }

  describe('connections', () => {
    test('at the maximum let further calls wait in order and within their timeout', async () => {
      const link = make({ maxConnections: 2 }).connect(await echo(), { insecure: false })
      const ended: number[] = []
      const calls = Array.from({ length: 6 }, (_, i) =>
        send(link, { path: `/?delay=60&n=${i}` }).then((result) => {
          ended.push(i)
          return result.kind
        }),
      )
      const late = send(link, { timeoutMs: 30 })
      expect(await late).toMatchObject({ kind: 'error', reason: 'timeout' })
      expect(await Promise.all(calls)).toEqual(Array(6).fill('response'))
      expect([...ended].sort()).toEqual(ended)
    })

    test('are not all used by slow uploads, which wait for each other', async () => {
      const link = make({ maxConnections: 4 }).connect(await echo(), { insecure: false })
      const cancels: (() => void)[] = []
      const uploads = Array.from({ length: 6 }, () => {
        const body = streamed(Array(1000).fill('x'), { everyMs: 20 })
        return send(link, { method: 'POST', body, timeoutMs: 0, onStart: (cancel) => cancels.push(cancel) })
      })
      for (let i = 0; i < 5; i++) expect(await send(link, { timeoutMs: 2000 })).toMatchObject({ kind: 'response' })
      const waiting = send(link, { method: 'POST', body: streamed(['last']), timeoutMs: 5000 })
      for (const cancel of cancels) cancel()
      expect(await waiting).toMatchObject({ kind: 'response' })
      expect((await Promise.all(uploads)).map(({ kind }) => kind)).toEqual(Array(6).fill('error'))
    })

    test.each([
      ['at once', true],
      ['shortly after', false],
    ])('close if a second response follows %s, and it reaches no call that waits', async (_, isJoined) => {
      const response = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const server = await wire(({ connection }, socket) => {
        if (connection > 0) socket.write(response('own'))
        else if (isJoined) socket.write(response('own') + response('stolen'))
        else {
          socket.write(response('own'))
          setImmediate(() => socket.write(response('stolen')))
        }
      })
      const link = make({ maxConnections: 1 }).connect(server.origin, { insecure: false })
      const bodies = await Promise.all(Array.from({ length: 3 }, async () => textOf(await responseOf(link))))
      expect(bodies).toEqual(['own', 'own', 'own'])
      expect(server.connections).toBe(2)
    })

    test('can be cancelled while a call waits for one', async () => {
      const link = make({ maxConnections: 1 }).connect(await echo(), { insecure: false })
      const first = send(link, { path: '/?delay=100' })
      let cancel = () => {}
      const second = send(link, {
        onStart(give) {
          cancel = give
        },
      })
      cancel()
      expect(await second).toMatchObject({ reason: 'cancelled' })
      expect(await first).toMatchObject({ kind: 'response' })
      expect(await send(link)).toMatchObject({ kind: 'response' })
    })

    test('fail after close, and calls in flight end', async () => {
      const upstream = make()
      const link = upstream.connect(await echo(), { insecure: false })
      const inFlight = send(link, { path: '/?delay=1000' })
      await sleep(50)
      await upstream.close()
      expect(await inFlight).toMatchObject({ kind: 'error' })
      expect(await send(link)).toMatchObject({ kind: 'error', reason: 'broken' })
    })

    test('are all closed after hundreds of calls were cancelled', async () => {
      const server = await wire((_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nstart'))
      const link = make().connect(server.origin, { insecure: false })
      for (let round = 0; round < 3; round++) {
        const responses = await Promise.all(Array.from({ length: 100 }, () => send(link)))
        for (const response of responses) ((response as UpstreamResponse).body as ByteStream).cancel()
      }
      await until(() => server.open.size === 0)
    })
  })
}
