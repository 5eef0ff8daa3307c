/** What is handed on of an answer. */
import { headerOf, headersOf } from '@turnpike/core'
import { describe, expect, test } from 'vitest'
import { hello, type UpstreamSetup } from './setup.ts'
import { answerOf, textOf } from './talk.ts'

export function answerCases({ toEcho, wire }: UpstreamSetup): void {
  describe('an answer', () => {
    test('brings status, headers and body', async () => {
      const answer = await answerOf(toEcho(), { path: '/a?status=201&header=X-Own:1&body=made' })
      expect(answer.status).toBe(201)
      expect(headerOf(answer.headers, 'x-own')).toBe('1')
      expect(await textOf(answer)).toBe('made')
    })

    test('short and complete is given whole', async () => {
      const { to } = await wire((_, socket) => socket.write(hello))
      const answer = await answerOf(to)
      expect(answer.body).toBeInstanceOf(Uint8Array)
      expect(answer.bodyLength).toBe(5)
    })

    test('empty is empty, not missing', async () => {
      const { to } = await wire((_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
      expect((await answerOf(to)).body).toHaveLength(0)
    })

    test('keeps headers that come twice, in order, names in lower case', async () => {
      const answer = await answerOf(toEcho(), { path: '/?header=Set-Cookie:a=1&header=Set-Cookie:b=2' })
      expect(headersOf(answer.headers, 'set-cookie')).toEqual(['a=1', 'b=2'])
      for (let i = 0; i < answer.headers.length; i += 2) {
        expect(answer.headers[i]).toBe(answer.headers[i]?.toLowerCase())
      }
    })

    test('keeps every byte of a header', async () => {
      const { to } = await wire((_, socket) => {
        socket.write(Buffer.from('HTTP/1.1 200 OK\r\nX-Name: J\xe4ger \xff\r\nContent-Length: 0\r\n\r\n', 'latin1'))
      })
      expect(headerOf((await answerOf(to)).headers, 'x-name')).toBe('J\xe4ger \xff')
    })

    test.each([204, 304])('%i has no body, and the connection is used again', async (status) => {
      const { server, to } = await wire((_, socket) => socket.write(`HTTP/1.1 ${status} x\r\nETag: "1"\r\n\r\n`))
      expect((await answerOf(to)).body).toBeUndefined()
      expect((await answerOf(to)).status).toBe(status)
      expect(server.connections).toBe(1)
    })

    test('to HEAD has no body and tells its length', async () => {
      const { to } = await wire((_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1234567\r\n\r\n'))
      const answer = await answerOf(to, { method: 'HEAD' })
      expect(answer.body).toBeUndefined()
      expect(answer.bodyLength).toBe(1_234_567)
    })

    test('comes after interim answers', async () => {
      const { to } = await wire((_, socket) => {
        socket.write('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')
        setTimeout(() => socket.write(hello), 20)
      })
      const answer = await answerOf(to)
      expect(answer.status).toBe(200)
      expect(headerOf(answer.headers, 'link')).toBeUndefined()
      expect(await textOf(answer)).toBe('hello')
    })

    test('comes after a 100 that nobody asked for', async () => {
      const { to } = await wire((_, socket) => {
        socket.write('HTTP/1.1 100 Continue\r\n\r\n')
        setTimeout(() => socket.write(hello), 20)
      })
      expect(await textOf(await answerOf(to))).toBe('hello')
      expect(await textOf(await answerOf(to))).toBe('hello')
    })

    test('of unknown length ends with the connection on HTTP/1.0', async () => {
      const { to } = await wire((_, socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nold but fine'))
      expect(await textOf(await answerOf(to))).toBe('old but fine')
    })

    test('whose head is there is handed on before its body ends', async () => {
      const { to } = await wire((_, socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n')
        setTimeout(() => socket.write('3\r\ntwo\r\n0\r\n\r\n'), 150)
      })
      const startedAt = performance.now()
      const answer = await answerOf(to)
      expect(performance.now() - startedAt).toBeLessThan(120)
      expect(await textOf(answer)).toBe('onetwo')
    })
  })
}
