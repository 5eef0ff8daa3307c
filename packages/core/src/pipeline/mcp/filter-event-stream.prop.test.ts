import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { BodyTooLarge, type ByteStream, collect } from '../../http/byte-stream.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import { FilteredEventStream } from './filter-event-stream.ts'

/** A stream of these chunks. */
function chunked(chunks: readonly Uint8Array[]): ByteStream {
  return {
    pipe(sink) {
      for (const chunk of chunks) sink.data(chunk)
      sink.end()
    },
    pause() {},
    resume() {},
    cancel() {},
  }
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((start, i) => bytes.subarray(start, at[i] ?? bytes.length))
}

const ignore = () => {}
const change = (data: string) => (data.includes('secret') ? data.replaceAll('secret', '') : undefined)
const through = async (text: string, places: readonly number[] = [], limit = 1000) =>
  utf8Text(await collect(new FilteredEventStream(chunked(cut(utf8Bytes(text), places)), change, limit, ignore)))

const line = fc.constantFrom(
  'data: a',
  'data:é€',
  'data',
  'data: secret',
  'data: a secret 😀',
  'id: 7',
  'event: message',
  ': comment',
  'datax: secret',
)
const end = fc.constantFrom('\n', '\r\n', '\r')
const events = fc
  .array(fc.tuple(fc.array(line, { minLength: 1, maxLength: 4 }), end))
  .map((list) => list.map(([lines, lineEnd]) => lines.map((one) => one + lineEnd).join('') + lineEnd).join(''))

/** The reference reader: returns the data of each event with data. */
function dataOf(text: string): string[] {
  return text
    .replace(/\r\n|\r/g, '\n')
    .split('\n\n')
    .map((event) =>
      event
        .split('\n')
        .filter((one) => /^data(:|$)/.test(one))
        .map((one) => one.replace(/^data:? ?/, ''))
        .join('\n'),
    )
    .filter((data) => data !== '')
}

describe('an event stream', () => {
  test.prop([events, fc.array(fc.nat())])('does not depend on the chunk boundaries', async (text, places) => {
    expect(await through(text, places)).toBe(await through(text))
  })

  test.prop([events, fc.array(fc.nat())])('changes only the data of its events', async (text, places) => {
    expect(dataOf(await through(text, places))).toEqual(
      dataOf(text)
        .map((data) => data.replaceAll('secret', ''))
        .filter((data) => data !== ''),
    )
  })

  test.prop([events, fc.array(fc.nat())])('is byte-identical if nothing changes', async (text, places) => {
    const plain = text.replaceAll('secret', 'open')
    expect(await through(plain, places)).toBe(plain)
  })

  it('keeps the other fields of a changed event', async () => {
    expect(await through('event: message\nid: 1\ndata: a\ndata: secret b\n\n')).toBe(
      'event: message\nid: 1\ndata: a\ndata:  b\n\n',
    )
  })

  it('is forwarded at the end of each event', () => {
    const got: string[] = []
    const stream = new FilteredEventStream(chunked([]), change, 1000, ignore)
    const sink = { data: (chunk: Uint8Array) => got.push(utf8Text(chunk)) > 0, end() {}, fail() {} }
    stream.pipe(sink)
    const open = new FilteredEventStream({ ...chunked([]), pipe() {} }, change, 1000, ignore)
    open.pipe(sink)
    open.data(utf8Bytes('data: a\n\ndata: b'))
    expect(got).toEqual(['data: a\n\n'])
    open.data(utf8Bytes('\n\n'))
    expect(got).toEqual(['data: a\n\n', 'data: b\n\n'])
  })

  it('fails at an event that exceeds the limit', async () => {
    await expect(through(`data: ${'x'.repeat(2000)}`)).rejects.toBeInstanceOf(BodyTooLarge)
    expect(await through('data: x\n\n'.repeat(500), [700])).toHaveLength(4500)
  })

  it('forwards an incomplete event at its end', async () => {
    expect(await through('data: secret a')).toBe('data:  a\n\n')
  })
})
