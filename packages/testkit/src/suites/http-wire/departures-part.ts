/** Part of the front end suite: clients that go away at any point. */
import type { ByteStream } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { expectAlive, type FrontEndUnderTest, makeServer, pause, requestBytes, until } from './front-end-under-test.ts'
import { openRaw, rawExchange } from './raw-exchange.ts'

export function departuresPart(under: FrontEndUnderTest): void {
  const serve = makeServer(under)

  describe('a client that goes away', () => {
    it('is told to the last listener once, while the handler is still at work', async () => {
      const served = await serve()
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('GET /held'))
      await until(() => served.seen.length === 1)
      const told: string[] = []
      served.seen[0]?.request.onAbort(() => told.push('replaced'))
      served.seen[0]?.request.onAbort(() => told.push('last'))
      client.socket.destroy()
      await until(() => told.length > 0)
      served.held[0]?.()
      await pause(30)
      expect(told).toEqual(['last'])
      await expectAlive(served)
    })

    it('leaves a late answer’s stream cancelled', async () => {
      const served = await serve()
      let give: (() => void) | undefined
      let cancelled = false
      const cancel = () => {
        cancelled = true
      }
      const late = await serve({}, () => {
        const body: ByteStream = { pipe() {}, pause() {}, resume() {}, cancel }
        return new Promise((resolve) => {
          give = () => resolve({ status: 200, headers: [], body })
        })
      })
      const client = await openRaw(late.port)
      client.socket.write(requestBytes('GET /'))
      await until(() => give !== undefined)
      client.socket.destroy()
      await pause(50)
      give?.()
      await until(() => cancelled)
      await expectAlive(served)
    })

    it('in the middle of a head harms nobody', async () => {
      const served = await serve()
      for (const part of ['G', 'GET /x HT', 'GET /x HTTP/1.1\r\nHos', 'GET /x HTTP/1.1\r\nHost: a.test\r\n']) {
        await rawExchange(served.port, part, { waitMs: 20 })
        await rawExchange(served.port, part, { waitMs: 20, end: true })
      }
      expect(served.seen).toHaveLength(0)
      await expectAlive(served)
    })

    it('two hundred at once in the middle of a body leave nothing behind', async () => {
      const served = await serve()
      const clients = await Promise.all(Array.from({ length: 200 }, () => openRaw(served.port)))
      for (const { socket } of clients) socket.write(requestBytes('POST /unread', ['Content-Length: 100000'], 'abc'))
      await until(() => served.seen.length === 200)
      for (const { socket } of clients) socket.resetAndDestroy()
      await until(() => served.seen.every(({ aborted }) => aborted))
      await expectAlive(served)
    })
  })
}
