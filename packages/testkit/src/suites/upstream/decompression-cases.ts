/** Cases for responses that are compressed because the gateway requested gzip. */
import { gzipSync } from 'node:zlib'
import { headerOf } from '@turnpike/core/http'
import { describe, expect, test } from 'vitest'
import { bytesOf, responseOf, textOf } from './requests.ts'
import type { UpstreamSetup } from './setup.ts'

export function decompressionCases({ wire, served }: UpstreamSetup): void {
  describe('decompression', () => {
    const text = 'zip zap '.repeat(20_000)
    const compressed = gzipSync(text)
    const gzipped = (body: Buffer, cut = body.length) =>
      wire((_, socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${cut}\r\nX-A: 1\r\n\r\n`)
        socket.write(body.subarray(0, cut))
      })

    test('decodes the response if the gateway requested gzip', async () => {
      const { to } = await gzipped(compressed)
      const response = await responseOf(to, { unpack: true })
      expect(await textOf(response)).toBe(text)
      expect(headerOf(response.headers, 'content-encoding')).toBeUndefined()
      expect(headerOf(response.headers, 'content-length')).toBeUndefined()
      expect(headerOf(response.headers, 'x-a')).toBe('1')
    })

    test('keeps the response encoded if the client requested gzip', async () => {
      const { to } = await gzipped(compressed)
      const response = await responseOf(to, { unpack: false })
      expect(headerOf(response.headers, 'content-encoding')).toBe('gzip')
      expect(Buffer.from(await bytesOf(response)).equals(compressed)).toBe(true)
    })

    test('decodes long and chunked responses', async () => {
      const long = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) >> 3))
      const to = await served((_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(gzipSync(long))
      })
      expect(Buffer.from(await bytesOf(await responseOf(to, { unpack: true }))).equals(long)).toBe(true)
    })

    test.each([
      ['truncated', compressed.subarray(0, compressed.length - 20)],
      ['not gzip', Buffer.from('this is plain text')],
    ])('fails on a body that is %s', async (_, body) => {
      const { to } = await gzipped(body)
      const response = await responseOf(to, { unpack: true })
      await expect(bytesOf(response)).rejects.toBeDefined()
    })
  })
}
