/** Trailers of answers and of requests (RFC 9110, 6.5). */
import type { ByteStream, HeaderPairs, UpstreamAnswer } from '@turnpike/core'
import { describe, expect, test } from 'vitest'
import { streamed } from './bodies.ts'
import { hello, type UpstreamSetup } from './setup.ts'
import { answerOf, textOf } from './talk.ts'

/** What an adapter's client library cannot do. */
export interface UpstreamTraits {
  /** Sends trailers of requests; else they are dropped. Default: true. */
  readonly sendsTrailers?: boolean
}

const chunkedHead = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n'

export function trailerCases({ wire, served }: UpstreamSetup, { sendsTrailers = true }: UpstreamTraits): void {
  describe('trailers of an answer', () => {
    test.each(['at once', 'later'])('end its stream, come they %s', async (when) => {
      const { to } = await wire((_, socket) => {
        const end = '2\r\nok\r\n0\r\nGrpc-Status:  7\r\nX-Sum: \xe4 b \r\nX-Sum: 2\r\n\r\n'
        socket.write(`${chunkedHead}Trailer: grpc-status, X-Sum\r\n\r\n${when === 'later' ? '' : end}`, 'latin1')
        if (when === 'later') setTimeout(() => socket.write(end, 'latin1'), 20)
      })
      const answer = await answerOf(to)
      expect((answer.body as ByteStream).trailerNames).toBe('grpc-status, x-sum')
      expect(answer.headers).not.toContain('grpc-status')
      expect(await trailersOf(answer)).toEqual({
        text: 'ok',
        trailers: ['grpc-status', '7', 'x-sum', '\xe4 b', 'x-sum', '2'],
      })
    })

    test('come behind a body without a byte, announced or not', async () => {
      const { to } = await wire((_, socket) => socket.write(`${chunkedHead}\r\n0\r\nx-a: 1\r\n\r\n`))
      const answer = await answerOf(to)
      expect((answer.body as ByteStream).trailerNames).toBeUndefined()
      expect(await trailersOf(answer)).toEqual({ text: '', trailers: ['x-a', '1'] })
    })

    test('are not passed where they would frame, route, authenticate or tell how to read', async () => {
      const forbidden = 'Age: 9\r\nSet-Cookie: a=1\r\nAuthorization: b\r\nHost: evil\r\nContent-Type: c\r\n'
      const { server, to } = await wire((_, socket) => {
        const head = `${chunkedHead}Trailer: Content-Length, host, x-b\r\nTrailer: x-b, not a name\r\n\r\n`
        socket.write(`${head}2\r\nok\r\n0\r\n${forbidden}X-B: 2\r\nTE: gzip\r\n\r\n`)
      })
      for (let i = 0; i < 2; i++) {
        const answer = await answerOf(to)
        expect((answer.body as ByteStream).trailerNames).toBe('x-b')
        expect(await trailersOf(answer)).toEqual({ text: 'ok', trailers: ['x-b', '2'] })
      }
      expect(server.connections).toBe(1)
    })

    test('of which none may pass leave the answer as it would be without', async () => {
      const { to } = await wire((_, socket) => socket.write(`${chunkedHead}\r\n2\r\nok\r\n0\r\nhost: a\r\n\r\n`))
      expect(await textOf(await answerOf(to))).toBe('ok')
    })

    test('follow what was unpacked', async () => {
      const packed = Buffer.from('H4sIAAAAAAAAA8vPBgBH3dx5AgAAAA==', 'base64')
      const { to } = await wire((_, socket) => {
        socket.write(`${chunkedHead}Content-Encoding: gzip\r\n\r\n${packed.length.toString(16)}\r\n`)
        socket.write(packed)
        socket.write('\r\n0\r\nx-a: 1\r\n\r\n')
      })
      expect(await trailersOf(await answerOf(to, { unpack: true }))).toEqual({ text: 'ok', trailers: ['x-a', '1'] })
    })

    test('without bound break the answer off', async () => {
      const { to } = await wire((_, socket) => {
        socket.write(`${chunkedHead}\r\n2\r\nok\r\n`)
        setTimeout(() => socket.write(`0\r\nx-a: ${'a'.repeat(200_000)}\r\n\r\n`), 20)
      })
      await expect(trailersOf(await answerOf(to))).rejects.toBeDefined()
    })
  })

  describe('trailers of a request', () => {
    test.skipIf(!sendsTrailers)('are announced and sent behind a chunked body', async () => {
      let got: (value: unknown) => void
      const gotten = new Promise((resolve) => {
        got = resolve
      })
      const to = await served((request, response) => {
        request.resume().on('end', () => {
          got({ announced: request.headers.trailer, trailers: request.rawTrailers, te: request.headers.connection })
          response.end()
        })
      })
      const body = withTrailers(streamed(['ab']), 'x-sum, x-own', ['x-sum', '12', 'x-own', 'forged', 'x-c', 'a\r\nb'])
      await answerOf(to, { method: 'POST', body, headers: ['host', 'h', 'te', 'trailers', 'x-own', '1'] })
      // What would break a line is left out, and what the head said already stays as the head said it.
      expect(await gotten).toEqual({
        announced: 'x-sum, x-own',
        trailers: ['x-sum', '12'],
        te: expect.stringMatching(/\bte\b/),
      })
    })

    test('are dropped where the length of the body is told', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      const body = withTrailers(streamed(['ab']), 'x-sum', ['x-sum', '12'])
      expect(await textOf(await answerOf(to, { method: 'POST', body, bodyLength: 2 }))).toBe('hello')
      expect(await textOf(await answerOf(to))).toBe('hello')
      expect(server.heads.join()).not.toContain('x-sum')
    })
  })
}

/** The same body, announced and ended with trailers. */
function withTrailers(body: ByteStream, trailerNames: string, trailers: HeaderPairs): ByteStream {
  return {
    trailerNames,
    pipe: (sink) =>
      body.pipe({
        data: (chunk) => sink.data(chunk),
        end: () => sink.end(trailers),
        fail: (error) => sink.fail(error),
      }),
    pause: () => body.pause(),
    resume: () => body.resume(),
    cancel: (reason) => body.cancel(reason),
  }
}

/** Text and trailers of an answer that is a stream; rejects when it breaks off. */
function trailersOf({ body }: UpstreamAnswer): Promise<{ text: string; trailers: HeaderPairs | undefined }> {
  return new Promise((resolve, reject) => {
    let text = ''
    ;(body as ByteStream).pipe({
      data(chunk) {
        text += Buffer.from(chunk).toString('latin1')
        return true
      },
      end: (trailers) => resolve({ text, trailers }),
      fail: reject,
    })
  })
}
