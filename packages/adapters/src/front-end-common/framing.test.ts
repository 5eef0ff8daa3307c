import { describe, expect, it } from 'vitest'
import { errorResponses } from './error-responses.ts'
import { Framing, namesClose } from './framing.ts'

const read = (...headers: string[]) => {
  const framing = new Framing()
  return { errorResponse: framing.read(headers), framing }
}

describe('Framing', () => {
  it('has length 0 without Content-Length and Transfer-Encoding', () => {
    const { errorResponse, framing } = read('host', 'a.test', 'x', 'y')
    expect(errorResponse).toBeUndefined()
    expect([framing.bodyLength, framing.hasLengthHeader, framing.host]).toEqual([0, false, 'a.test'])
  })

  it('has the length of Content-Length, or an undefined length if it is chunked', () => {
    expect(read('content-length', '42').framing.bodyLength).toBe(42)
    expect(read('content-length', '0').framing.hasLengthHeader).toBe(true)
    expect(read('transfer-encoding', 'Chunked').framing.bodyLength).toBeUndefined()
  })

  it.each([
    [['content-length', '3', 'content-length', '3'], errorResponses.twoLengths],
    [['content-length', '3', 'transfer-encoding', 'chunked'], errorResponses.lengthWithTransferEncoding],
    [['transfer-encoding', 'chunked', 'content-length', '3'], errorResponses.lengthWithTransferEncoding],
    [['transfer-encoding', 'chunked', 'transfer-encoding', 'chunked'], errorResponses.badEncoding],
    [['transfer-encoding', ''], errorResponses.badEncoding],
    [['transfer-encoding', 'gzip, chunked'], errorResponses.unknownEncoding],
    [['content-length', ''], errorResponses.badLength],
    [['content-length', '1e3'], errorResponses.badLength],
    [['content-length', '9999999999999999'], errorResponses.badLength],
    [['host', 'a', 'host', 'a'], errorResponses.badHost],
    [['host', 'a/b'], errorResponses.badHost],
    [['expect', 'a miracle'], errorResponses.expectation],
  ])('rejects %j', (headers, errorResponse) => {
    expect(read(...headers).errorResponse).toBe(errorResponse)
  })

  it('accepts names, IPv4 and IPv6 addresses as hosts, with ports', () => {
    for (const host of ['a.test', 'a_b:80', '127.0.0.1:1', '[::1]:443', ''])
      expect(read('host', host).errorResponse).toBeUndefined()
  })

  it('resets the fields of the previous request', () => {
    const framing = new Framing()
    framing.read(['host', 'a', 'connection', 'close', 'expect', '100-continue', 'content-length', '5'])
    expect([framing.wantsClose, framing.expectsContinue]).toEqual([true, true])
    framing.read([])
    expect([framing.host, framing.wantsClose, framing.expectsContinue, framing.bodyLength]).toEqual([
      undefined,
      false,
      false,
      0,
    ])
  })
})

describe('namesClose', () => {
  it('contains close in any letter case and position', () => {
    expect(['close', 'Close', 'a, close', 'close,b'].map(namesClose)).toEqual([true, true, true, true])
    expect(['keep-alive', 'closed', 'x-close', ''].map(namesClose)).toEqual([false, false, false, false])
  })
})
