/** Part of the front end suite: trailers of chunked messages (RFC 9110, 6.5). A front end that cannot drops them. */
import type { ByteStream, GatewayResponse, HeaderPairs } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { expectAlive, type FrontEndUnderTest, makeServer, requestBytes, until } from './front-end-under-test.ts'
import { rawExchange } from './raw-exchange.ts'
import { hasResponse, readResponses, wireHeader } from './wire-responses.ts'

const chunked = ['Transfer-Encoding: chunked']

export function trailersPart(under: FrontEndUnderTest): void {
  const serve = makeServer(under)
  const { traits } = under
  const passes = traits.trailers ?? false

  describe('trailers', () => {
    it.skipIf(!passes)('of a request end its body, and are no headers', async () => {
      const { seen, handle } = remembering()
      const served = await serve({}, handle)
      const body =
        '3\r\nabc\r\n0\r\nX-Sum: 12\r\nHost: evil\r\nAuthorization: a\r\nX-Forwarded-For: b\r\nx-b: \xe4\r\n\r\n'
      const headers = [...chunked, 'Trailer: X-Sum, Host, X-B']
      await rawExchange(served.port, requestBytes('POST /', headers, body), { until: hasResponse })
      expect(seen).toEqual([{ text: 'abc', announced: 'x-sum, x-b', trailers: ['x-sum', '12', 'x-b', '\xe4'] }])
    })

    it('of a request never join its headers, and leave the connection as sound as before', async () => {
      const served = await serve()
      const body = '3\r\nabc\r\n0\r\nX-Sum: 12\r\nContent-Type: evil\r\n\r\n'
      const { text } = await rawExchange(served.port, requestBytes('POST /echo', chunked, body), { until: hasResponse })
      const [answer] = readResponses(text)
      if (answer?.status === 200) expect(answer.body).toBe('abc')
      for (const { request } of served.seen) expect(request.headers.join()).not.toMatch(/x-sum|evil/)
      await expectAlive(served)
    })

    it.skipIf(!passes).each([
      ['many', 'x-a: 1\r\n'.repeat(100)],
      ['long', `x-a: ${'a'.repeat(200_000)}\r\n`],
    ])('of a request that are too %s break it off', async (_word, lines) => {
      const { seen, failed, handle } = remembering()
      const served = await serve({}, handle)
      const bytes = requestBytes('POST /', chunked, `3\r\nabc\r\n0\r\n${lines}\r\n`)
      const { text } = await rawExchange(served.port, bytes, { waitMs: 10_000, until: hasResponse })
      if (text !== '') expect(readResponses(text)[0]?.status).toBe(431)
      await until(() => failed.length === 1, 10_000)
      expect(seen).toEqual([])
    })

    it('of an answer are announced and end it, where the front end can; nowhere do they spoil it', async () => {
      const answer = ending(['x-sum', '12', 'x-name', '\xe4', 'x-split', 'a\r\nx-evil: b'], 'x-sum')
      const served = await serve({}, () => answer())
      const { text } = await rawExchange(served.port, requestBytes('GET /'), { until: hasResponse })
      const [got] = readResponses(text)
      expect(got).toMatchObject({ status: 200, body: 'abc', complete: true })
      expect(wireHeader(got, 'trailer')).toBe(passes ? 'x-sum' : undefined)
      expect(got?.trailers).toEqual(passes ? ['x-sum: 12', 'x-name: \xe4'] : [])
    })

    it('of an answer whose length is told are dropped', async () => {
      const answer = ending(['x-sum', '12'], 'x-sum')
      const served = await serve({}, () => ({ ...answer(), bodyLength: 3 }))
      const { text } = await rawExchange(served.port, requestBytes('GET /'), { until: hasResponse })
      expect(readResponses(text)[0]).toMatchObject({ status: 200, body: 'abc', complete: true })
      expect(text.toLowerCase()).not.toContain('x-sum')
    })

    it.skipIf(!traits.http10)('of an answer to HTTP/1.0 are dropped', async () => {
      const answer = ending(['x-sum', '12'], 'x-sum')
      const served = await serve({}, () => answer())
      const { text, closed } = await rawExchange(served.port, 'GET / HTTP/1.0\r\nHost: a\r\n\r\n')
      expect(closed).toBe(true)
      expect(text).toMatch(/\r\n\r\nabc$/)
      expect(text.toLowerCase()).not.toContain('x-sum')
    })
  })
}

/** A handler that remembers how bodies ended. */
function remembering() {
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

/** Makes answers of `abc` that end with trailers. */
function ending(trailers: HeaderPairs, trailerNames: string): () => GatewayResponse {
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
