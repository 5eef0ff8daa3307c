/** Part of the front end suite: response bodies, their backpressure, and bodies that break off. */

import { describe, expect } from 'vitest'
import { until } from '../wait.ts'
import { expectAlive, type FrontEndUnderTest, requestBytes, wireTest } from './front-end-under-test.ts'
import { openRaw } from './raw-exchange.ts'
import { digest, maxBufferedBytes, megabyte, pattern, untilStable } from './stream-tools.ts'
import { hasResponse, wireHeader } from './wire-responses.ts'

export function downloadsPart(under: FrontEndUnderTest): void {
  const it = wireTest(under)

  describe('a response body', () => {
    it.for(['known', 'unknown'])('arrives complete if its length is %s', async (length, { served }) => {
      const total = 3 * megabyte + 17
      const path = `/bytes?bytes=${total}${length === 'known' ? '&known' : ''}`
      const response = await served.request(`GET ${path}`)
      expect(digest(response.body)).toBe(digest(pattern(total)))
      expect(wireHeader(response, 'content-length')).toBe(length === 'known' ? String(total) : undefined)
    })

    it.for(['/bytes?bytes=0', '/bytes?bytes=0&known'])('may be an empty stream: %s', async (path, { served }) => {
      expect(await served.request(`GET ${path}`)).toMatchObject({ status: 200, body: '', complete: true })
    })

    it.for(['', '&known'])(
      'of 64 MB is held back while the client does not read, and flows when it reads again %s',
      async (known, { served }) => {
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

    it.for(['', '&known'])('that breaks off never looks complete %s', async (known, { served }) => {
      const { text, closed } = await served.exchange(requestBytes(`GET /bytes?bytes=500000&failAfter=200000${known}`), {
        waitMs: 2_000,
      })
      expect(closed).toBe(true)
      expect(hasResponse(text)).toBe(false)
      await expectAlive(served)
    })

    it.for([
      ['shorter', 1_000, 2_000],
      ['longer', 2_000, 1_000],
    ] as const)(
      'that is %s than its Content-Length closes the connection',
      async ([_word, bytes, contentLength], { served }) => {
        const { text, closed } = await served.exchange(
          requestBytes(`GET /lies?bytes=${bytes}&contentLength=${contentLength}`),
          { waitMs: 2_000 },
        )
        expect(closed).toBe(true)
        expect(text.split('\r\n\r\n')[1]?.length ?? 0).toBeLessThanOrEqual(contentLength)
        if (bytes < contentLength) expect(hasResponse(text)).toBe(false)
        await expectAlive(served)
      },
    )

    it('is cancelled when the client disconnects', async ({ served }) => {
      const client = await openRaw(served.port)
      client.socket.pause()
      client.socket.write(requestBytes(`GET /bytes?bytes=${64 * megabyte}`))
      await until(() => served.streams.length === 1)
      await untilStable(() => served.streams[0]?.pushed ?? 0)
      client.socket.resetAndDestroy()
      await until(() => served.streams[0]?.cancelled === true)
      expect(served.seen[0]?.aborted).toBe(true)
    })

    it('is cancelled when the client reads nothing for too long', async ({ serve }) => {
      const served = await serve({ bodyStallMs: 200 })
      const client = await openRaw(served.port)
      client.socket.pause()
      client.socket.write(requestBytes(`GET /bytes?bytes=${64 * megabyte}`))
      await until(() => served.streams[0]?.cancelled === true)
      client.socket.destroy()
    })

    it('of an event stream sends its head before the first event', async ({ served }) => {
      const { text } = await served.exchange(requestBytes('GET /events'), {
        waitMs: 1_500,
        until: (it) => it.includes('\r\n\r\n'),
      })
      expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      await until(() => served.streams[0]?.cancelled === true)
    })
  })
}
