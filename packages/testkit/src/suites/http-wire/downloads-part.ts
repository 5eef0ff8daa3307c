/** Part of the front end suite: bodies of answers, their backpressure, and what happens when they break off. */

import { describe, expect, it } from 'vitest'
import { expectAlive, type FrontEndUnderTest, makeServer, requestBytes, until } from './front-end-under-test.ts'
import { openRaw, rawExchange } from './raw-exchange.ts'
import { bufferedAtMost, digest, megabyte, pattern, quiet } from './stream-tools.ts'
import { hasResponse, readResponses, wireHeader } from './wire-responses.ts'

export function downloadsPart(under: FrontEndUnderTest): void {
  const serve = makeServer(under)

  describe('a body on its way down', () => {
    it.each(['known', 'unknown'])('arrives whole, its length %s', async (length) => {
      const served = await serve()
      const total = 3 * megabyte + 17
      const path = `/bytes?bytes=${total}${length === 'known' ? '&known' : ''}`
      const { text } = await rawExchange(served.port, requestBytes(`GET ${path}`), {
        waitMs: 5_000,
        until: hasResponse,
      })
      const [answer] = readResponses(text)
      expect(digest(answer?.body ?? '')).toBe(digest(pattern(total)))
      expect(wireHeader(answer, 'content-length')).toBe(length === 'known' ? String(total) : undefined)
    })

    it.each(['/bytes?bytes=0', '/bytes?bytes=0&known'])('may be a stream without a byte: %s', async (path) => {
      const served = await serve()
      const { text } = await rawExchange(served.port, requestBytes(`GET ${path}`), { until: hasResponse })
      expect(readResponses(text)[0]).toMatchObject({ status: 200, body: '', complete: true })
    })

    it.each(['', '&known'])(
      'of 64 MB that the client does not take is held back, and flows when it reads on %s',
      async (known) => {
        const served = await serve()
        const total = 64 * megabyte
        const client = await openRaw(served.port)
        client.socket.pause()
        client.socket.removeAllListeners('data')
        client.socket.write(requestBytes(`GET /bytes?bytes=${total}${known}`))
        await until(() => served.streams.length === 1)
        await quiet(() => served.streams[0]?.pushed ?? 0)
        expect(served.streams[0]?.pushed).toBeLessThan(bufferedAtMost)
        let came = 0
        client.socket.on('data', (chunk: Uint8Array) => {
          came += chunk.length
        })
        client.socket.resume()
        await until(() => came >= total, 20_000)
        client.socket.destroy()
      },
    )

    it.each(['', '&known'])('that breaks off is never ended well %s', async (known) => {
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
    ])('that is %s than announced is broken off', async (_word, bytes, told) => {
      const served = await serve()
      const { text, closed } = await rawExchange(served.port, requestBytes(`GET /lies?bytes=${bytes}&told=${told}`), {
        waitMs: 2_000,
      })
      expect(closed).toBe(true)
      expect(text.split('\r\n\r\n')[1]?.length ?? 0).toBeLessThanOrEqual(told)
      if (bytes < told) expect(hasResponse(text)).toBe(false)
      await expectAlive(served)
    })

    it('is cancelled when the client goes away', async () => {
      const served = await serve()
      const client = await openRaw(served.port)
      client.socket.pause()
      client.socket.write(requestBytes(`GET /bytes?bytes=${64 * megabyte}`))
      await until(() => served.streams.length === 1)
      await quiet(() => served.streams[0]?.pushed ?? 0)
      client.socket.resetAndDestroy()
      await until(() => served.streams[0]?.cancelled === true)
      expect(served.seen[0]?.aborted).toBe(true)
    })

    it('is cut when the client takes nothing for too long', async () => {
      const served = await serve({ bodyStallMs: 200 })
      const client = await openRaw(served.port)
      client.socket.pause()
      client.socket.write(requestBytes(`GET /bytes?bytes=${64 * megabyte}`))
      await until(() => served.streams[0]?.cancelled === true)
      client.socket.destroy()
    })

    it('of events shows its head before the first event', async () => {
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
