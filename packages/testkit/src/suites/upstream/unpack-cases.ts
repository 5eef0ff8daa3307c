/** Answers that were gzipped because the gateway asked for it. */
import { gzipSync } from 'node:zlib'
import { headerOf } from '@turnpike/core'
import { describe, expect, test } from 'vitest'
import type { UpstreamSetup } from './setup.ts'
import { answerOf, bytesOf, textOf } from './talk.ts'

export function unpackCases({ wire, served }: UpstreamSetup): void {
  describe('unpacking', () => {
    const text = 'zip zap '.repeat(20_000)
    const packed = gzipSync(text)
    const gzipped = (body: Buffer, cut = body.length) =>
      wire((_, socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${cut}\r\nX-A: 1\r\n\r\n`)
        socket.write(body.subarray(0, cut))
      })

    test('gives the plain answer when the gateway asked for gzip itself', async () => {
      const { to } = await gzipped(packed)
      const answer = await answerOf(to, { unpack: true })
      expect(await textOf(answer)).toBe(text)
      expect(headerOf(answer.headers, 'content-encoding')).toBeUndefined()
      expect(headerOf(answer.headers, 'content-length')).toBeUndefined()
      expect(headerOf(answer.headers, 'x-a')).toBe('1')
    })

    test('leaves the answer alone when the client asked', async () => {
      const { to } = await gzipped(packed)
      const answer = await answerOf(to, { unpack: false })
      expect(headerOf(answer.headers, 'content-encoding')).toBe('gzip')
      expect(Buffer.from(await bytesOf(answer)).equals(packed)).toBe(true)
    })

    test('works on long and chunked answers too', async () => {
      const long = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) >> 3))
      const to = await served((_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(gzipSync(long))
      })
      expect(Buffer.from(await bytesOf(await answerOf(to, { unpack: true }))).equals(long)).toBe(true)
    })

    test.each([
      ['cut short', packed.subarray(0, packed.length - 20)],
      ['not gzip at all', Buffer.from('this is plain text')],
    ])('fails on what is %s', async (_, body) => {
      const { to } = await gzipped(body)
      const answer = await answerOf(to, { unpack: true })
      await expect(bytesOf(answer)).rejects.toBeDefined()
    })
  })
}
