import { describe, expect, it } from 'vitest'
import { makeBufferedLineWriter } from './buffered-line-writer.ts'

/** A stream whose reader can stop reading. */
function makeStream() {
  const written: string[] = []
  let pendingBytes = 0
  return {
    written,
    get writableLength() {
      return pendingBytes
    },
    write(text: string) {
      written.push(text)
    },
    setPending: (bytes: number) => {
      pendingBytes = bytes
    },
  }
}

describe('the buffered line writer', () => {
  it('writes lines together and in order after a short delay', async () => {
    const stream = makeStream()
    const lines = makeBufferedLineWriter(stream)
    lines.add('a')
    lines.add('b')
    expect(stream.written).toEqual([])
    await expect.poll(() => stream.written).toEqual(['a\nb\n'])
  })

  it('writes lines immediately on flush, and only once', async () => {
    const stream = makeStream()
    const lines = makeBufferedLineWriter(stream)
    lines.add('a')
    lines.flush()
    lines.flush()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(stream.written).toEqual(['a\n'])
  })

  it('drops lines while the reader is blocked, and writes their number afterwards', () => {
    const stream = makeStream()
    const lines = makeBufferedLineWriter(stream)
    stream.setPending(2 * 1024 * 1024)
    for (let i = 0; i < 100; i++) lines.add('x'.repeat(100_000))
    lines.flush()
    expect(stream.written).toEqual([])
    stream.setPending(0)
    lines.add('again')
    lines.flush()
    expect(stream.written).toEqual(['(100 lines dropped: the reader was too slow)\nagain\n'])
  })
})
