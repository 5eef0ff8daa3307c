import { describe, expect, it } from 'vitest'
import { nodeBrotli } from './brotli-node.ts'

const text = new TextEncoder().encode('brotli '.repeat(1000))

describe('brotli', () => {
  it('decompresses what it compressed', async () => {
    const packed = await nodeBrotli.pack(text)
    expect(packed.length).toBeLessThan(200)
    expect(new Uint8Array(await nodeBrotli.unpack(packed, text.length))).toEqual(text)
  })

  it('rejects data over the limit and truncated data', async () => {
    const packed = await nodeBrotli.pack(text)
    await expect(nodeBrotli.unpack(packed, text.length - 1)).rejects.toThrow()
    await expect(nodeBrotli.unpack(packed.subarray(0, 10), 10_000)).rejects.toThrow()
  })
})
