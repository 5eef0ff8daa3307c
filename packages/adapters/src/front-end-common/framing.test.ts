import { describe, expect, it } from 'vitest'
import { Framing, namesClose } from './framing.ts'
import { refusals } from './refusal.ts'

const read = (...headers: string[]) => {
  const framing = new Framing()
  return { refusal: framing.read(headers), framing }
}

describe('the framing of a request', () => {
  it('has no body without a header that tells one', () => {
    const { refusal, framing } = read('host', 'a.test', 'x', 'y')
    expect(refusal).toBeUndefined()
    expect([framing.bodyLength, framing.lengthTold, framing.host]).toEqual([0, false, 'a.test'])
  })

  it('has the length that Content-Length tells, or none when chunked', () => {
    expect(read('content-length', '42').framing.bodyLength).toBe(42)
    expect(read('content-length', '0').framing.lengthTold).toBe(true)
    expect(read('transfer-encoding', 'Chunked').framing.bodyLength).toBeUndefined()
  })

  it.each([
    [['content-length', '3', 'content-length', '3'], refusals.twoLengths],
    [['content-length', '3', 'transfer-encoding', 'chunked'], refusals.lengthBesideEncoding],
    [['transfer-encoding', 'chunked', 'content-length', '3'], refusals.lengthBesideEncoding],
    [['transfer-encoding', 'chunked', 'transfer-encoding', 'chunked'], refusals.badEncoding],
    [['transfer-encoding', ''], refusals.badEncoding],
    [['transfer-encoding', 'gzip, chunked'], refusals.unknownEncoding],
    [['content-length', ''], refusals.badLength],
    [['content-length', '1e3'], refusals.badLength],
    [['content-length', '9999999999999999'], refusals.badLength],
    [['host', 'a', 'host', 'a'], refusals.badHost],
    [['host', 'a/b'], refusals.badHost],
    [['expect', 'a miracle'], refusals.expectation],
  ])('refuses %j', (headers, refusal) => {
    expect(read(...headers).refusal).toBe(refusal)
  })

  it('takes names, IPv4 and IPv6 for hosts, with ports', () => {
    for (const host of ['a.test', 'a_b:80', '127.0.0.1:1', '[::1]:443', ''])
      expect(read('host', host).refusal).toBeUndefined()
  })

  it('forgets the request before', () => {
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

describe('a Connection header', () => {
  it('names close in any case and place', () => {
    expect(['close', 'Close', 'a, close', 'close,b'].map(namesClose)).toEqual([true, true, true, true])
    expect(['keep-alive', 'closed', 'x-close', ''].map(namesClose)).toEqual([false, false, false, false])
  })
})
