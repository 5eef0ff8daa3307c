/** Part of the front end suite: graceful shutdown, and TCP ports that are not available. */

import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { until } from '../wait.ts'
import { type FrontEndUnderTest, requestBytes, wireTest } from './front-end-under-test.ts'
import { openRaw } from './raw-exchange.ts'
import { hasResponse, readResponses, wireHeader } from './wire-responses.ts'

export function closingPart(under: FrontEndUnderTest): void {
  const it = wireTest(under)

  describe('a server that closes', () => {
    it('accepts no new connection', async ({ served }) => {
      await served.listening.close(0)
      const { text, closed } = await served.exchange(requestBytes('GET /now'))
      expect([text, closed]).toEqual(['', true])
    })

    it('closes idle connections', async ({ served }) => {
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('GET /now'))
      await until(() => hasResponse(client.received()))
      await served.listening.close(5_000)
      await client.closed
    })

    it('completes requests in flight with Connection: close, and refuses new connections', async ({ served }) => {
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('GET /held'))
      await until(() => served.held.length === 1)
      const closing = served.listening.close(5_000)
      await sleep(30)
      expect((await served.exchange(requestBytes('GET /now'))).text).toBe('')
      served.held[0]?.()
      await closing
      await client.closed
      const [response] = readResponses(client.received())
      expect([response?.status, response?.body, wireHeader(response, 'connection')]).toEqual([200, 'held', 'close'])
    })

    it('completes a streaming response', async ({ served }) => {
      const client = await openRaw(served.port)
      const total = 20 << 20
      client.socket.write(requestBytes(`GET /bytes?bytes=${total}&known`))
      await until(() => client.received().length > 0)
      await served.listening.close(10_000)
      await client.closed
      expect(readResponses(client.received())[0]).toMatchObject({ complete: true })
    })

    it('closes connections that exceed the grace period', async ({ served }) => {
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('GET /held'))
      await until(() => served.held.length === 1)
      await served.listening.close(100)
      await client.closed
      expect(client.received()).toBe('')
      await until(() => served.seen[0]?.aborted === true)
      served.held[0]?.()
    })
  })

  describe('a port', () => {
    const listen = (host: string, port: number) =>
      under.make({}).listen(() => ({ status: 200, headers: [], body: '' }), { host, port })

    it('that is in use is reported with its address, its number and a fix', async () => {
      const taken = createServer()
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
      const { port } = taken.address() as { port: number }
      await expect(listen('127.0.0.1', port)).rejects.toThrow(
        `port ${port} on 127.0.0.1 is already in use; choose another with listen_port or --port`,
      )
      taken.close()
    })

    it('that a front end uses is not shared with another front end', async ({ served }) => {
      await expect(listen('127.0.0.1', served.port)).rejects.toThrow('already in use')
    })

    it('on an address of another machine is reported', async () => {
      await expect(listen('192.0.2.1', 0)).rejects.toThrow('192.0.2.1')
    })
  })
}
