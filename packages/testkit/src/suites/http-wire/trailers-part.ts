/** Part of the front end suite: trailers of chunked messages (RFC 9110 section 6.5). Front ends without support drop them. */

import type { ByteStream, GatewayResponse, HeaderPairs } from '@turnpike/core/http'
import { describe, expect } from 'vitest'
import { until } from '../wait.ts'
import { expectAlive, type FrontEndUnderTest, requestBytes, wireTest } from './front-end-under-test.ts'
import { hasResponse, readResponses, wireHeader } from './wire-responses.ts'

const chunked = ['Transfer-Encoding: chunked']

export function trailersPart(under: FrontEndUnderTest): void {
  const it = wireTest(under)
  const { traits } = under
  const supportsTrailers = traits.trailers ?? false

  describe('trailers', () => {
    it.skipIf(!supportsTrailers)('of a request end its body and do not become headers', async ({ serve }) => {
      const { seen, handle } = makeRecordingHandler()
      const served = await serve({}, handle)
      const body =
        '3\r\nabc\r\n0\r\nX-Sum: 12\r\nHost: evil\r\nAuthorization: a\r\nX-Forwarded-For: b\r\nx-b: \xe4\r\n\r\n'
      const headers = [...chunked, 'Trailer: X-Sum, Host, X-B']
      await served.request('POST /', headers, body)
      expect(seen).toEqual([{ text: 'abc', announced: 'x-sum, x-b', trailers: ['x-sum', '12', 'x-b', '\xe4'] }])
    })

    it('of a request never become headers and do not harm the connection', async ({ served }) => {
      const body = '3\r\nabc\r\n0\r\nX-Sum: 12\r\nContent-Type: evil\r\n\r\n'
      const response = await served.request('POST /echo', chunked, body)
      if (response.status === 200) expect(response.body).toBe('abc')
      for (const { request } of served.seen) expect(request.headers.join()).not.toMatch(/x-sum|evil/)
      await expectAlive(served)
    })

    it.skipIf(!supportsTrailers).for([
      ['many', 'x-a: 1\r\n'.repeat(100)],
      ['long', `x-a: ${'a'.repeat(200_000)}\r\n`],
    ])('of a request that are too %s fail the request', async ([_word, lines], { serve }) => {
      const { seen, failed, handle } = makeRecordingHandler()
      const served = await serve({}, handle)
      const bytes = requestBytes('POST /', chunked, `3\r\nabc\r\n0\r\n${lines}\r\n`)
      const { text } = await served.exchange(bytes, { waitMs: 10_000, until: hasResponse })
      if (text !== '') expect(readResponses(text)[0]?.status).toBe(431)
      await until(() => failed.length === 1, 10_000)
      expect(seen).toEqual([])
    })

    it('of a response are announced and sent, or dropped without harm if the front end does not support them', async ({
      serve,
    }) => {
      const response = responseWithTrailers(['x-sum', '12', 'x-name', '\xe4', 'x-split', 'a\r\nx-evil: b'], 'x-sum')
      const served = await serve({}, () => response())
      const received = await served.request('GET /')
      expect(received).toMatchObject({ status: 200, body: 'abc', complete: true })
      expect(wireHeader(received, 'trailer')).toBe(supportsTrailers ? 'x-sum' : undefined)
      expect(received.trailers).toEqual(supportsTrailers ? ['x-sum: 12', 'x-name: \xe4'] : [])
    })

    it('of a response with Content-Length are dropped', async ({ serve }) => {
      const response = responseWithTrailers(['x-sum', '12'], 'x-sum')
      const served = await serve({}, () => ({ ...response(), bodyLength: 3 }))
      const { text } = await served.exchange(requestBytes('GET /'), { until: hasResponse })
      expect(readResponses(text)[0]).toMatchObject({ status: 200, body: 'abc', complete: true })
      expect(text.toLowerCase()).not.toContain('x-sum')
    })

    it.skipIf(!traits.http10)('of a response to HTTP/1.0 are dropped', async ({ serve }) => {
      const response = responseWithTrailers(['x-sum', '12'], 'x-sum')
      const served = await serve({}, () => response())
      const { text, closed } = await served.exchange('GET / HTTP/1.0\r\nHost: a\r\n\r\n')
      expect(closed).toBe(true)
      expect(text).toMatch(/\r\n\r\nabc$/)
      expect(text.toLowerCase()).not.toContain('x-sum')
    })
  })
}

/** Makes a handler that records how request bodies end. */
function makeRecordingHandler() {
  const seen: { text: string; announced: string | undefined; trailers: HeaderPairs | undefined }[] = []
  const failed: unknown[] = []
  const ok: GatewayResponse = { status: 200, headers: [], body: 'ok' }
  const handle = ({ body }: { body: ByteStream | undefined }) =>
    new Promise<GatewayResponse>((resolve) => {
      let text = ''
      if (body === undefined) resolve(ok)
      body?.pipe({
        data(chunk) {
          text += Buffer.from(chunk).toString('latin1')
          return true
        },
        end(trailers) {
          seen.push({ text, announced: body.trailerNames, trailers })
          resolve(ok)
        },
        fail: (error) => failed.push(error),
      })
    })
  return { seen, failed, handle }
}

/** Returns a function that makes responses with the body `abc` and trailers. */
function responseWithTrailers(trailers: HeaderPairs, trailerNames: string): () => GatewayResponse {
  return () => ({
    status: 200,
    headers: [],
    body: {
      trailerNames,
      pipe(sink) {
        sink.data(Buffer.from('abc'))
        setTimeout(() => sink.end(trailers), 5)
      },
      pause() {},
      resume() {},
      cancel() {},
    },
  })
}
