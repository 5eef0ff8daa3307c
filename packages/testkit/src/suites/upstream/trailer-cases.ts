/** Cases for trailers of responses and requests (RFC 9110 section 6.5). */
import type { ByteStream, HeaderPairs } from '@turnpike/core/http'
import type { UpstreamResponse } from '@turnpike/core/ports'
import { describe, expect, test } from 'vitest'
import { streamed } from './bodies.ts'
import { responseOf, textOf } from './requests.ts'
import { hello, type UpstreamSetup, type UpstreamTraits } from './setup.ts'

const chunkedHead = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n'

export function trailerCases({ wire, served }: UpstreamSetup, { sendsTrailers = true }: UpstreamTraits): void {
  describe('trailers of a response', () => {
    test.each(['at once', 'later'])('end its stream if they arrive %s', async (when) => {
      const { to } = await wire((_, socket) => {
        const end = '2\r\nok\r\n0\r\nGrpc-Status:  7\r\nX-Sum: \xe4 b \r\nX-Sum: 2\r\n\r\n'
        socket.write(`${chunkedHead}Trailer: grpc-status, X-Sum\r\n\r\n${when === 'later' ? '' : end}`, 'latin1')
        if (when === 'later') setTimeout(() => socket.write(end, 'latin1'), 20)
      })
      const response = await responseOf(to)
      expect((response.body as ByteStream).trailerNames).toBe('grpc-status, x-sum')
      expect(response.headers).not.toContain('grpc-status')
      expect(await trailersOf(response)).toEqual({
        text: 'ok',
        trailers: ['grpc-status', '7', 'x-sum', '\xe4 b', 'x-sum', '2'],
      })
    })

    test('can follow an empty body without being announced', async () => {
      const { to } = await wire((_, socket) => socket.write(`${chunkedHead}\r\n0\r\nx-a: 1\r\n\r\n`))
      const response = await responseOf(to)
      expect((response.body as ByteStream).trailerNames).toBeUndefined()
      expect(await trailersOf(response)).toEqual({ text: '', trailers: ['x-a', '1'] })
    })

    test('are dropped if they concern framing, routing, authentication or content format (RFC 9110 section 6.5.1)', async () => {
      const forbidden = 'Age: 9\r\nSet-Cookie: a=1\r\nAuthorization: b\r\nHost: evil\r\nContent-Type: c\r\n'
      const { server, to } = await wire((_, socket) => {
        const head = `${chunkedHead}Trailer: Content-Length, host, x-b\r\nTrailer: x-b, not a name\r\n\r\n`
        socket.write(`${head}2\r\nok\r\n0\r\n${forbidden}X-B: 2\r\nTE: gzip\r\n\r\n`)
      })
      for (let i = 0; i < 2; i++) {
        const response = await responseOf(to)
        expect((response.body as ByteStream).trailerNames).toBe('x-b')
        expect(await trailersOf(response)).toEqual({ text: 'ok', trailers: ['x-b', '2'] })
      }
      expect(server.connections).toBe(1)
    })

    test('that are all dropped do not change the response', async () => {
      const { to } = await wire((_, socket) => socket.write(`${chunkedHead}\r\n2\r\nok\r\n0\r\nhost: a\r\n\r\n`))
      expect(await textOf(await responseOf(to))).toBe('ok')
    })

    test('follow a decompressed body', async () => {
      const compressed = Buffer.from('H4sIAAAAAAAAA8vPBgBH3dx5AgAAAA==', 'base64')
      const { to } = await wire((_, socket) => {
        socket.write(`${chunkedHead}Content-Encoding: gzip\r\n\r\n${compressed.length.toString(16)}\r\n`)
        socket.write(compressed)
        socket.write('\r\n0\r\nx-a: 1\r\n\r\n')
      })
      expect(await trailersOf(await responseOf(to, { unpack: true }))).toEqual({ text: 'ok', trailers: ['x-a', '1'] })
    })

    test('that are too large fail the response', async () => {
      const { to } = await wire((_, socket) => {
        socket.write(`${chunkedHead}\r\n2\r\nok\r\n`)
        setTimeout(() => socket.write(`0\r\nx-a: ${'a'.repeat(200_000)}\r\n\r\n`), 20)
      })
      await expect(trailersOf(await responseOf(to))).rejects.toBeDefined()
    })
  })

  describe('trailers of a request', () => {
    test.skipIf(!sendsTrailers)('are announced and sent after a chunked body', async () => {
      let reportReceived: (value: unknown) => void
      const received = new Promise((resolve) => {
        reportReceived = resolve
      })
      const to = await served((request, response) => {
        request.resume().on('end', () => {
          reportReceived({
            announced: request.headers.trailer,
            trailers: request.rawTrailers,
            te: request.headers.connection,
          })
          response.end()
        })
      })
      const body = withTrailers(streamed(['ab']), 'x-sum, x-own', ['x-sum', '12', 'x-own', 'forged', 'x-c', 'a\r\nb'])
      await responseOf(to, { method: 'POST', body, headers: ['host', 'h', 'te', 'trailers', 'x-own', '1'] })
      // Trailers with line breaks, and trailers that repeat a header of the head, are dropped.
      expect(await received).toEqual({
        announced: 'x-sum, x-own',
        trailers: ['x-sum', '12'],
        te: expect.stringMatching(/\bte\b/),
      })
    })

    test('are dropped if the request has Content-Length', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      const body = withTrailers(streamed(['ab']), 'x-sum', ['x-sum', '12'])
      expect(await textOf(await responseOf(to, { method: 'POST', body, bodyLength: 2 }))).toBe('hello')
      expect(await textOf(await responseOf(to))).toBe('hello')
      expect(server.heads.join()).not.toContain('x-sum')
    })
  })
}

/** Adds announced trailers to a body. */
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

/** Reads the text and the trailers of a streaming response. Rejects if the body fails. */
function trailersOf({ body }: UpstreamResponse): Promise<{ text: string; trailers: HeaderPairs | undefined }> {
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
