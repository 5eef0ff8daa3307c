/** What the upstream gets of a request. */
import { describe, expect, test } from 'vitest'
import { streamed } from './bodies.ts'
import { hello, type UpstreamSetup } from './setup.ts'
import { answerOf, echoed, send, textOf } from './talk.ts'

export function requestCases({ toEcho, wire, served }: UpstreamSetup): void {
  describe('a request', () => {
    test('goes out as it is given, path and query untouched', async () => {
      const path = '/a%2Fb/%20//c/../d?x=%zz&y=[1]|2'
      const answer = await answerOf(toEcho(), { path, headers: ['host', 'other.example', 'x-a', '1', 'x-a', '2'] })
      const told = JSON.parse(await textOf(answer))
      expect(told.url).toBe(path)
      expect(told.headers).toMatchObject({ host: 'other.example', 'x-a': '1, 2' })
    })

    test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s brings its body whole and its length', async (method) => {
      const told = await echoed(toEcho(), { method, body: Buffer.from('some body') })
      expect(told).toMatchObject({ method, body: 'some body', headers: { 'content-length': '9' } })
    })

    test('with a streaming body of known length tells the length', async () => {
      const told = await echoed(toEcho(), { method: 'POST', body: streamed(['ab', 'cd']), bodyLength: 4 })
      expect(told).toMatchObject({ body: 'abcd', headers: { 'content-length': '4' } })
    })

    test('with a streaming body of unknown length goes chunked', async () => {
      const told = await echoed(toEcho(), { method: 'POST', body: streamed(['ab', 'cd']) })
      expect(told).toMatchObject({ body: 'abcd', headers: { 'transfer-encoding': 'chunked' } })
      expect(told.headers).not.toHaveProperty('content-length')
    })

    test('tells one length only, whatever lengths and codings came with it', async () => {
      const headers = ['host', 'h', 'content-length', '99', 'content-length', '3', 'transfer-encoding', 'chunked']
      const { server, to } = await wire((_, socket) => socket.write(hello))
      await answerOf(to, {
        method: 'POST',
        headers: [...headers, 'expect', '100-continue'],
        body: Buffer.from('four'),
      })
      const lines = server.heads[0]?.toLowerCase().split('\r\n') ?? []
      expect(lines.filter((line) => /^(content-length|transfer-encoding|expect):/.test(line))).toEqual([
        'content-length: 4',
      ])
    })

    test('without a body tells no length, even when its headers do', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      await answerOf(to, { headers: ['host', 'h', 'content-length', '5'] })
      expect(server.heads[0]).not.toMatch(/content-length/i)
    })

    test('whose body breaks off never reaches the upstream as a whole one', async () => {
      let complete = 0
      const to = await served((request, response) => {
        request.resume().on('end', () => complete++)
        request.on('error', () => response.destroy())
      })
      for (const bodyLength of [100, undefined]) {
        const result = await send(to, { method: 'POST', body: streamed(['abc'], { breaksOff: true }), bodyLength })
        expect(result.kind).toBe('fault')
      }
      expect(complete).toBe(0)
    })

    test('with characters beyond Latin-1 in a header sends their UTF-8 bytes', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      expect((await answerOf(to, { headers: ['host', 'h', 'x-name', 'Žofie'] })).status).toBe(200)
      expect(Buffer.from(server.heads[0] ?? '', 'latin1').toString()).toContain('x-name: Žofie')
    })

    test('cannot smuggle a header line', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      const result = await send(to, { headers: ['host', 'h', 'x-a', '1\r\nx-evil: 1'] })
      expect(result.kind).toBe('fault')
      expect(server.heads).toEqual([])
    })
  })
}
