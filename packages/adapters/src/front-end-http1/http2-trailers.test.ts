import { type ClientHttp2Session, connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2'
import type { ByteStream, GatewayResponse, HeaderPairs } from '@turnpike/core/http'
import { afterEach, describe, expect, it } from 'vitest'
import { makeNodeFrontEnd } from '../front-end-node/front-end-node.ts'
import { makeHttp1FrontEnd } from './front-end-http1.ts'

const frontEnds = [
  ['node', makeNodeFrontEnd],
  ['http1', makeHttp1FrontEnd],
] as const

describe.each(frontEnds)('the front end %s', (_name, make) => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  interface Ended {
    readonly announced: string | undefined
    readonly trailers: HeaderPairs | undefined
  }

  /** Serves the given response and records how request bodies ended. */
  async function serve(response: () => GatewayResponse) {
    const seen: Ended[] = []
    const failed: unknown[] = []
    const frontEnd = make({ http2: true })
    const listening = await frontEnd.listen(
      ({ body }) =>
        new Promise((resolve) => {
          if (body === undefined) resolve(response())
          body?.pipe({
            data: () => true,
            end(trailers) {
              seen.push({ announced: body.trailerNames, trailers })
              resolve(response())
            },
            fail: (error) => failed.push(error),
          })
        }),
      { host: '127.0.0.1', port: 0 },
    )
    closers.push(() => listening.close(0))
    const client = connect(`http://127.0.0.1:${listening.port}`)
    client.on('error', () => {})
    closers.push(() => client.destroy())
    return { seen, failed, client }
  }

  function ending(trailers: HeaderPairs | undefined, text = 'abc', trailerNames?: string): ByteStream {
    return {
      trailerNames,
      pipe(sink) {
        if (text !== '') sink.data(Buffer.from(text))
        sink.end(trailers)
      },
      pause() {},
      resume() {},
      cancel() {},
    }
  }

  const ok = (body: GatewayResponse['body']): GatewayResponse => ({ status: 200, headers: [], body })

  interface ClientResponse {
    readonly head: IncomingHttpHeaders
    readonly text: string
    readonly trailers: IncomingHttpHeaders | undefined
    readonly reset: number
  }

  function send(
    client: ClientHttp2Session,
    headers: OutgoingHttpHeaders,
    trailers?: OutgoingHttpHeaders,
  ): Promise<ClientResponse> {
    return new Promise((resolve) => {
      const sends = trailers !== undefined
      const stream = client.request({ ':path': '/', ...headers }, { endStream: !sends, waitForTrailers: sends })
      let head: IncomingHttpHeaders = {}
      let text = ''
      let got: IncomingHttpHeaders | undefined
      if (trailers !== undefined) {
        stream.on('wantTrailers', () => stream.sendTrailers(trailers))
        stream.end('body')
      }
      stream.on('response', (given) => {
        head = given
      })
      stream.on('trailers', (given) => {
        got = given
      })
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('error', () => {})
      stream.on('close', () => resolve({ head, text, trailers: got, reset: stream.rstCode ?? 0 }))
    })
  }

  const post = { ':method': 'POST', te: 'trailers' }

  describe('trailers over HTTP/2', () => {
    it('are sent after a response body, announced or not', async () => {
      const { client } = await serve(() =>
        ok(ending(['grpc-status', '0', 'x-a', '1', 'x-a', '2'], 'abc', 'grpc-status')),
      )
      const { head, text, trailers, reset } = await send(client, { te: 'trailers' })
      expect([head['trailer'], text, reset]).toEqual(['grpc-status', 'abc', 0])
      expect(trailers).toMatchObject({ 'grpc-status': '0', 'x-a': '1, 2' })
    })

    it('are sent after an empty response body', async () => {
      const { client } = await serve(() => ok(ending(['grpc-status', '12'], '')))
      expect(await send(client, {})).toMatchObject({ text: '', trailers: { 'grpc-status': '12' }, reset: 0 })
    })

    it('are not sent if the response has none', async () => {
      const { client } = await serve(() => ok(ending(undefined)))
      const { text, trailers, reset } = await send(client, {})
      expect([text, trailers, reset]).toEqual(['abc', undefined, 0])
    })

    it('with an invalid name or value are dropped', async () => {
      const { client } = await serve(() => ok(ending(['x-a', 'b\r\nc', 'x b', '1', 'x-c', '2'])))
      expect((await send(client, {})).trailers).toMatchObject({ 'x-c': '2' })
    })

    it('of a request are passed to the reader, without fields that are not allowed in trailers', async () => {
      const { client, seen } = await serve(() => ok('ok'))
      const trailers = { 'x-sum': '12', authorization: 'forged', 'x-forwarded-for': '1.1.1.1' }
      await send(client, { ...post, trailer: 'x-sum, authorization' }, trailers)
      expect(seen).toEqual([{ announced: 'x-sum', trailers: ['x-sum', '12'] }])
    })

    it('of a request over the limit abort it', async () => {
      const { client, seen, failed } = await serve(() => ok('ok'))
      const trailers = Object.fromEntries(Array.from({ length: 103 }, (_, i) => [`x-${i}`, '1']))
      const { head, reset } = await send(client, post, trailers)
      expect(Number(head[':status']) === 431 || reset !== 0).toBe(true)
      await expect.poll(() => failed.length, { timeout: 10_000 }).toBe(1)
      expect(seen).toEqual([])
    })
  })
})
