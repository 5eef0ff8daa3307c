/** Part of the front end suite: response bodies, their backpressure, and bodies that break off. */

import { describe, expect, it } from 'vitest'
import { expectAlive, type FrontEndUnderTest, makeServer, requestBytes, until } from './front-end-under-test.ts'
import { openRaw, rawExchange } from './raw-exchange.ts'
import { digest, maxBufferedBytes, megabyte, pattern, untilStable } from './stream-tools.ts'
import { hasResponse, readResponses, wireHeader } from './wire-responses.ts'

export function downloadsPart(under: FrontEndUnderTest): void {
  const serve = makeServer(under)

  describe('a response body', () => {
    it.each(['known', 'unknown'])('arrives complete if its length is %s', async (length) => {
      const served = await serve()
      const total = 3 * megabyte + 17
      const path = `/bytes?bytes=${total}${length === 'known' ? '&known' : ''}`
      const { text } = await rawExchange(served.port, requestBytes(`GET ${path}`), {
        waitMs: 5_000,
        until: hasResponse,
      })
      const [response] = readResponses(text)
      expect(digest(response?.body ?? '')).toBe(digest(pattern(total)))
      expect(wireHeader(response, 'content-length')).toBe(length === 'known' ? String(total) : undefined)
    })

    it.each(['/bytes?bytes=0', '/bytes?bytes=0&known'])('may be an empty stream: %s', async (path) => {
      const served = await serve()
      const { text } = await rawExchange(served.port, requestBytes(`GET ${path}`), { until: hasResponse })
      expect(readResponses(text)[0]).toMatchObject({ status: 200, body: '', complete: true })
    })

    it.each(['', '&known'])(
      'of 64 MB is held back while the client does not read, and flows when it reads again %s',
      async (known) => {
        const served = await serve()
        const total = 64 * megabyte
        const client = await openRaw(served.port)
        client.socket.pause()
        client.socket.removeAllListeners('data')
        client.socket.write(requestBytes(`GET /bytes?bytes=${total}${known}`))
        await until(() => served.streams.length === 1)
        await untilStable(() => served.streams[0]?.pushed ?? 0)
        expect(served.streams[0]?.pushed).toBeLessThan(maxBufferedBytes)
        let received = 0
        client.socket.on('data', (chunk: Uint8Array) => {
          received += chunk.length
        })
        client.socket.resume()
        await until(() => received >= total, 20_000)
        client.socket.destroy()
      },
    )

    it.each(['', '&known'])('that breaks off never looks complete %s', async (known) => {
      const served = await serve()
      const { text, closed } = await rawExchange(
        served.port,
        requestBytes(`GET /bytes?bytes=500000&failAfter=200000${known}`),
        { waitMs: 2_000 },
      )
      expect(closed).toBe(true)
      expect(hasResponse(text)).toBe(false)
      await expectAlive(served)
    })

    it.each([
      ['shorter', 1_000, 2_000],
      ['longer', 2_000, 1_000],
    ])('that is %s than its Content-Length closes the connection', async (_word, bytes, contentLength) => {
      const served = await serve()
      const { text, closed } = await rawExchange(
        served.port,
        requestBytes(`GET /lies?bytes=${bytes}&contentLength=${contentLength}`),
        {
          waitMs: 2_000,
        },
      )
      expect(closed).toBe(true)
      expect(text.split('\r\n\r\n')[1]?.length ?? 0).toBeLessThanOrEqual(contentLength)
      if (bytes < contentLength) expect(hasResponse(text)).toBe(false)
      await expectAlive(served)
    })

    it('is cancelled when the client disconnects', async () => {
      const served = await serve()
      const client = await openRaw(served.port)
      client.socket.pause()
      client.socket.write(requestBytes(`GET /bytes?bytes=${64 * megabyte}`))
      await until(() => served.streams.length === 1)
      await untilStable(() => served.streams[0]?.pushed ?? 0)
      client.socket.resetAndDestroy()
      await until(() => served.streams[0]?.cancelled === true)
      expect(served.seen[0]?.aborted).toBe(true)
    })

    it('is cancelled when the client reads nothing for too long', async () => {
      const served = await serve({ bodyStallMs: 200 })
      const client = await openRaw(served.port)
      client.socket.pause()
      client.socket.write(requestBytes(`GET /bytes?bytes=${64 * megabyte}`))
      await until(() => served.streams[0]?.cancelled === true)
      client.socket.destroy()
    })

    it('of an event stream sends its head before the first event', async () => {
      const served = await serve()
      const { text } = await rawExchange(served.port, requestBytes('GET /events'), {
        waitMs: 1_500,
        until: (it) => it.includes('\r\n\r\n'),
      })
      expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      await until(() => served.streams[0]?.cancelled === true)
    })
  })
}
