import { describe, expect, it } from 'vitest'
import { makeLateLines } from './late-lines.ts'

/** A stream whose reader may stand still. */
function makeStream() {
  const written: string[] = []
  let stuck = 0
  return {
    written,
    get writableLength() {
      return stuck
    },
    write(text: string) {
      written.push(text)
    },
    standStill: (bytes: number) => {
      stuck = bytes
    },
  }
}

describe('lines that may come late', () => {
  it('are written together, in their order, within a moment', async () => {
    const stream = makeStream()
    const lines = makeLateLines(stream)
    lines.add('a')
    lines.add('b')
    expect(stream.written).toEqual([])
    await expect.poll(() => stream.written).toEqual(['a\nb\n'])
  })

  it('are written at once when asked, and not twice', async () => {
    const stream = makeStream()
    const lines = makeLateLines(stream)
    lines.add('a')
    lines.flush()
    lines.flush()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(stream.written).toEqual(['a\n'])
  })

  it('are left out while nobody takes them, and their number is told afterwards', () => {
    const stream = makeStream()
    const lines = makeLateLines(stream)
    stream.standStill(2 * 1024 * 1024)
    for (let i = 0; i < 100; i++) lines.add('x'.repeat(100_000))
    lines.flush()
    expect(stream.written).toEqual([])
    stream.standStill(0)
    lines.add('again')
    lines.flush()
    expect(stream.written).toEqual(['(100 lines left out: nobody took them)\nagain\n'])
  })
})
