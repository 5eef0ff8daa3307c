import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BodyTooLarge } from '../../http/byte-stream.ts'
import type { Clock } from '../../ports/clock.ts'
import { pack, unpack } from './recode-body.ts'

function countBreaths(): { clock: Clock; breaths: () => number } {
  let breaths = 0
  const clock = { breathe: async () => void breaths++ } as unknown as Clock
  return { clock, breaths: () => breaths }
}

test('a decompression bomb is decompressed in slices of at most 4.2 MiB, and stops at the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024))
  const { clock, breaths } = countBreaths()
  expect((await unpack(bomb, 'gzip', 64 * 1024 * 1024, { clock })).length).toBe(32 * 1024 * 1024)
  expect(breaths()).toBeGreaterThanOrEqual(7)
  const limited = countBreaths()
  await expect(unpack(bomb, 'gzip', 2 * 1024 * 1024, { clock: limited.clock })).rejects.toBeInstanceOf(BodyTooLarge)
  expect(limited.breaths()).toBeLessThanOrEqual(3)
})

test.each(['gzip', 'deflate'] as const)('%s restores the bytes that it compressed', async (coding) => {
  const { clock } = countBreaths()
  const bytes = new Uint8Array(Array.from({ length: 300_000 }, (_, i) => (i * i) % 251))
  const packed = await pack(bytes, coding, { clock })
  expect(Buffer.from(await unpack(packed, coding, 1_000_000, { clock })).equals(bytes)).toBe(true)
})
