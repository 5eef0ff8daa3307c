import { describe, expect, it } from 'vitest'
import { bytes, handFed } from '../../test/support/pipeline/caching-gateway.ts'
import { utf8Text } from '../lib/text/utf8.ts'
import { collect, streamOf } from './byte-stream.ts'
import { peek } from './peek-stream.ts'

describe('peek', () => {
  it('returns the first bytes and leaves the whole stream readable', async () => {
    const { stream, sink, calls } = handFed()
    const peeked = peek(stream, 4)
    expect(sink().data(bytes('ab'))).toBe(true)
    expect(sink().data(bytes('cde'))).toBe(false)
    const { head, isWhole, stream: rest } = await peeked
    expect([utf8Text(head), isWhole]).toEqual(['abcde', false])
    const whole = collect(rest)
    expect(calls).toEqual(['resume'])
    sink().data(bytes('f'))
    sink().end()
    expect(utf8Text(await whole)).toBe('abcdef')
  })

  it('returns a shorter stream whole', async () => {
    const { head, isWhole, stream } = await peek(streamOf(bytes('abc')), 100)
    expect([utf8Text(head), isWhole]).toEqual(['abc', true])
    expect(utf8Text(await collect(stream))).toBe('abc')
  })

  it('returns a stream that fails as one that fails', async () => {
    const { stream, sink } = handFed()
    const peeked = peek(stream, 100)
    sink().data(bytes('ab'))
    sink().fail(new Error('reset'))
    const { head, isWhole, stream: rest } = await peeked
    expect([utf8Text(head), isWhole]).toEqual(['ab', false])
    await expect(collect(rest)).rejects.toThrow('reset')
  })

  it('keeps the order while the reader is paused', async () => {
    const { stream, sink, calls } = handFed()
    const peeked = peek(stream, 1)
    sink().data(bytes('a'))
    const { stream: rest } = await peeked
    const got: string[] = []
    let ended = false
    rest.pipe({
      data(chunk) {
        got.push(utf8Text(chunk))
        return false
      },
      end: () => {
        ended = true
      },
      fail() {},
    })
    sink().data(bytes('b'))
    sink().data(bytes('c'))
    sink().end()
    expect([got, ended]).toEqual([['a'], false])
    rest.resume()
    rest.resume()
    rest.resume()
    expect([got, ended, calls]).toEqual([['a', 'b', 'c'], true, []])
  })

  it('cancels the source', async () => {
    const { stream, sink, calls } = handFed()
    const peeked = peek(stream, 1)
    sink().data(bytes('a'))
    const { stream: rest } = await peeked
    rest.cancel()
    expect(calls).toEqual(['cancel'])
  })
})
