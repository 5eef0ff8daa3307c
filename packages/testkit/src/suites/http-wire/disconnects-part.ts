/** Part of the front end suite: clients that disconnect at any point. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { ByteStream } from '@turnpike/core/http'
import { describe, expect } from 'vitest'
import { until } from '../wait.ts'
import { expectAlive, type FrontEndUnderTest, requestBytes, wireTest } from './front-end-under-test.ts'
import { openRaw } from './raw-exchange.ts'

export function disconnectsPart(under: FrontEndUnderTest): void {
  const it = wireTest(under)

  describe('a client that disconnects', () => {
    it('is reported once to the last listener while the handler still runs', async ({ served }) => {
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('GET /held'))
      await until(() => served.seen.length === 1)
      const calls: string[] = []
      served.seen[0]?.request.onAbort(() => calls.push('replaced'))
      served.seen[0]?.request.onAbort(() => calls.push('last'))
      client.socket.destroy()
      await until(() => calls.length > 0)
      served.held[0]?.()
      await sleep(30)
      expect(calls).toEqual(['last'])
      await expectAlive(served)
    })

    it('cancels the stream of a late response', async ({ served, serve }) => {
      let complete: (() => void) | undefined
      let cancelled = false
      const cancel = () => {
        cancelled = true
      }
      const late = await serve({}, () => {
        const body: ByteStream = { pipe() {}, pause() {}, resume() {}, cancel }
        return new Promise((resolve) => {
          complete = () => resolve({ status: 200, headers: [], body })
        })
      })
      const client = await openRaw(late.port)
      client.socket.write(requestBytes('GET /'))
      await until(() => complete !== undefined)
      client.socket.destroy()
      await sleep(50)
      complete?.()
      await until(() => cancelled)
      await expectAlive(served)
    })

    it('in the middle of a head does no harm', async ({ served }) => {
      for (const part of ['G', 'GET /x HT', 'GET /x HTTP/1.1\r\nHos', 'GET /x HTTP/1.1\r\nHost: a.test\r\n']) {
        await served.exchange(part, { waitMs: 20 })
        await served.exchange(part, { waitMs: 20, end: true })
      }
      expect(served.seen).toHaveLength(0)
      await expectAlive(served)
    })

    it('releases all requests if 200 clients disconnect in the middle of a body', async ({ served }) => {
      const clients = await Promise.all(Array.from({ length: 200 }, () => openRaw(served.port)))
      for (const { socket } of clients) socket.write(requestBytes('POST /unread', ['Content-Length: 100000'], 'abc'))
      await until(() => served.seen.length === 200)
      for (const { socket } of clients) socket.resetAndDestroy()
      await until(() => served.seen.every(({ aborted }) => aborted))
      await expectAlive(served)
    })
  })
}
