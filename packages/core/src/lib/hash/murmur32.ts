/**
 * The default hash of stored keys: the internal state of MurmurHash3 x86-32 (seed 0) after the complete four-byte
 * blocks. The last one to three bytes and the final mixing are omitted, so names that differ only in those bytes have
 * the same hash. Data shared with other gateways requires exactly this value: docs/reference/redis-layout.md#tokens.
 */

/** Hashes bytes to an unsigned 32 bit number. */
export function murmur32(bytes: Uint8Array): number {
  let state = 0
  for (let i = 0; i + 4 <= bytes.length; i += 4) {
    const block =
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24)
    const mixed = Math.imul(block, 0xcc9e2d51)
    state ^= Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
    state = (state << 13) | (state >>> 19)
    state = (Math.imul(state, 5) + 0xe6546b64) | 0
  }
  return state >>> 0
}
