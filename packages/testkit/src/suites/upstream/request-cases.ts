/** Cases for requests as the upstream receives them. */
import { describe, expect, test } from 'vitest'
import { streamed } from './bodies.ts'
import { echoed, responseOf, send, textOf } from './requests.ts'
import { hello, type UpstreamSetup } from './setup.ts'

export function requestCases({ toEcho, wire, served }: UpstreamSetup): void {
  describe('a request', () => {
    test('is sent with unchanged path and query', async () => {
      const path = '/a%2Fb/%20//c/../d?x=%zz&y=[1]|2'
      const response = await responseOf(toEcho(), { path, headers: ['host', 'other.example', 'x-a', '1', 'x-a', '2'] })
      const received = JSON.parse(await textOf(response))
      expect(received.url).toBe(path)
      expect(received.headers).toMatchObject({ host: 'other.example', 'x-a': '1, 2' })
    })

    test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s sends its complete body and its length', async (method) => {
      const received = await echoed(toEcho(), { method, body: Buffer.from('some body') })
      expect(received).toMatchObject({ method, body: 'some body', headers: { 'content-length': '9' } })
    })

    test('with a streaming body of known length sends Content-Length', async () => {
      const received = await echoed(toEcho(), { method: 'POST', body: streamed(['ab', 'cd']), bodyLength: 4 })
      expect(received).toMatchObject({ body: 'abcd', headers: { 'content-length': '4' } })
    })

    test('with a streaming body of unknown length is chunked', async () => {
      const received = await echoed(toEcho(), { method: 'POST', body: streamed(['ab', 'cd']) })
      expect(received).toMatchObject({ body: 'abcd', headers: { 'transfer-encoding': 'chunked' } })
      expect(received.headers).not.toHaveProperty('content-length')
    })

    test('sends one Content-Length only, even if its headers contain others', async () => {
      const headers = ['host', 'h', 'content-length', '99', 'content-length', '3', 'transfer-encoding', 'chunked']
      const { server, to } = await wire((_, socket) => socket.write(hello))
      await responseOf(to, {
        method: 'POST',
        headers: [...headers, 'expect', '100-continue'],
        body: Buffer.from('four'),
      })
      const lines = server.heads[0]?.toLowerCase().split('\r\n') ?? []
      expect(lines.filter((line) => /^(content-length|transfer-encoding|expect):/.test(line))).toEqual([
        'content-length: 4',
      ])
    })

    test('without a body sends no Content-Length, even if its headers contain one', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      await responseOf(to, { headers: ['host', 'h', 'content-length', '5'] })
      expect(server.heads[0]).not.toMatch(/content-length/i)
    })

    test('whose body fails never reaches the upstream as a complete request', async () => {
      let complete = 0
      const to = await served((request, response) => {
        request.resume().on('end', () => complete++)
        request.on('error', () => response.destroy())
      })
      for (const bodyLength of [100, undefined]) {
        const result = await send(to, { method: 'POST', body: streamed(['abc'], { fails: true }), bodyLength })
        expect(result.kind).toBe('error')
      }
      expect(complete).toBe(0)
    })

    test('sends each character of a header value as one byte', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      const value = Buffer.from('é€', 'utf8').toString('latin1')
      expect((await responseOf(to, { headers: ['host', 'h', 'x-name', value] })).status).toBe(200)
      expect(server.heads[0]).toContain(`x-name: ${value}`)
    })

    test('with characters beyond Latin-1 in a header sends their UTF-8 bytes', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      expect((await responseOf(to, { headers: ['host', 'h', 'x-name', 'Žofie'] })).status).toBe(200)
      expect(Buffer.from(server.heads[0] ?? '', 'latin1').toString()).toContain('x-name: Žofie')
    })

    test('cannot smuggle a header line', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      const result = await send(to, { headers: ['host', 'h', 'x-a', '1\r\nx-evil: 1'] })
      expect(result.kind).toBe('error')
      expect(server.heads).toEqual([])
    })
  })
}
