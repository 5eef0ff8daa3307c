/** Cases for responses as the adapter returns them. */
import { type HeaderPairs, headerOf, headersOf } from '@turnpike/core/http'
import { describe, expect, test } from 'vitest'
import { responseOf, send, textOf } from './requests.ts'
import { hello, type UpstreamSetup } from './setup.ts'

export function responseCases({ toEcho, wire }: UpstreamSetup): void {
  describe('a response', () => {
    test('has its status, headers and body', async () => {
      const response = await responseOf(toEcho(), { path: '/a?status=201&header=X-Own:1&body=made' })
      expect(response.status).toBe(201)
      expect(headerOf(response.headers, 'x-own')).toBe('1')
      expect(await textOf(response)).toBe('made')
    })

    test('that is short and complete has its body as bytes', async () => {
      const { to } = await wire((_, socket) => socket.write(hello))
      const response = await responseOf(to)
      expect(response.body).toBeInstanceOf(Uint8Array)
      expect(response.bodyLength).toBe(5)
    })

    test('with Content-Length 0 has an empty body', async () => {
      const { to } = await wire((_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
      expect((await responseOf(to)).body).toHaveLength(0)
    })

    test('keeps repeated headers in order, with lower-case names', async () => {
      const response = await responseOf(toEcho(), { path: '/?header=Set-Cookie:a=1&header=Set-Cookie:b=2' })
      expect(headersOf(response.headers, 'set-cookie')).toEqual(['a=1', 'b=2'])
      for (let i = 0; i < response.headers.length; i += 2) {
        expect(response.headers[i]).toBe(response.headers[i]?.toLowerCase())
      }
    })

    test('keeps every byte of a header', async () => {
      const { to } = await wire((_, socket) => {
        socket.write(Buffer.from('HTTP/1.1 200 OK\r\nX-Name: J\xe4ger \xff\r\nContent-Length: 0\r\n\r\n', 'latin1'))
      })
      expect(headerOf((await responseOf(to)).headers, 'x-name')).toBe('J\xe4ger \xff')
    })

    test.each([
      ['with lines that end with a line feed alone', 'HTTP/1.1 200 OK\nX-A: 1\nContent-Length: 5\n\nhello'],
      ['with two equal lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\ncontent-length: 5\r\n\r\nhello'],
    ])('%s is read, also in pieces', async (_, text) => {
      const { to } = await wire(({ index }, socket) => {
        const at = index % 2 === 0 ? text.length : text.indexOf('X-A')
        socket.write(text.slice(0, at))
        if (at < text.length) setTimeout(() => socket.write(text.slice(at)), 20)
      })
      for (const _request of ['whole', 'in pieces']) {
        const response = await responseOf(to)
        expect(headersOf(response.headers, 'x-a')).toEqual(['1'])
        expect(headersOf(response.headers, 'content-length')).toEqual(['5'])
        expect(await textOf(response)).toBe('hello')
      }
    })

    test('with two different lengths is malformed', async () => {
      const text = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 4\r\n\r\nhello'
      const { to } = await wire((_, socket) => socket.write(text))
      expect(await send(to)).toMatchObject({ kind: 'error' })
    })

    test.each([204, 304])('%i has no body, and the connection is reused', async (status) => {
      const { server, to } = await wire((_, socket) => socket.write(`HTTP/1.1 ${status} x\r\nETag: "1"\r\n\r\n`))
      expect((await responseOf(to)).body).toBeUndefined()
      expect((await responseOf(to)).status).toBe(status)
      expect(server.connections).toBe(1)
    })

    test('to HEAD has no body but keeps its length', async () => {
      const { to } = await wire((_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1234567\r\n\r\n'))
      const response = await responseOf(to, { method: 'HEAD' })
      expect(response.body).toBeUndefined()
      expect(response.bodyLength).toBe(1_234_567)
    })

    test('follows interim responses', async () => {
      const { to } = await wire((_, socket) => {
        socket.write('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')
        setTimeout(() => socket.write(hello), 20)
      })
      const interim: [number, HeaderPairs][] = []
      const response = await responseOf(to, { onInterim: (status, headers) => interim.push([status, [...headers]]) })
      expect(interim).toEqual([
        [102, []],
        [103, ['link', '</a>']],
      ])
      expect(response.status).toBe(200)
      expect(headerOf(response.headers, 'link')).toBeUndefined()
      expect(await textOf(response)).toBe('hello')
    })

    test('follows an unrequested 100 Continue', async () => {
      const { to } = await wire((_, socket) => {
        socket.write('HTTP/1.1 100 Continue\r\n\r\n')
        setTimeout(() => socket.write(hello), 20)
      })
      const interim: number[] = []
      expect(await textOf(await responseOf(to, { onInterim: (status) => interim.push(status) }))).toBe('hello')
      expect(interim).toEqual([])
      expect(await textOf(await responseOf(to))).toBe('hello')
    })

    test('of HTTP/1.0 without a length ends with the connection', async () => {
      const { to } = await wire((_, socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nold but fine'))
      expect(await textOf(await responseOf(to))).toBe('old but fine')
    })

    test('is returned before its body is complete', async () => {
      const { to } = await wire((_, socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n')
        setTimeout(() => socket.write('3\r\ntwo\r\n0\r\n\r\n'), 150)
      })
      const startedAt = performance.now()
      const response = await responseOf(to)
      expect(performance.now() - startedAt).toBeLessThan(120)
      expect(await textOf(response)).toBe('onetwo')
    })
  })
}
