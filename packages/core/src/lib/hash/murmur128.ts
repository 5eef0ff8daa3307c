/** MurmurHash3 x64-128 with seed 0. Source of the constants: the reference implementation of MurmurHash3. */

const c1 = 0x87c37b91114253d5n
const c2 = 0x4cf5ad432745937fn

/** Hashes bytes to two unsigned 64 bit numbers, the more significant first. */
export function murmur128(bytes: Uint8Array): readonly [bigint, bigint] {
  // Padded with zeros, so that the incomplete last block is read like the others.
  const blocks = new DataView(new ArrayBuffer((bytes.length + 15) & ~15))
  new Uint8Array(blocks.buffer).set(bytes)
  const completeBytes = bytes.length & ~15
  let h1 = 0n
  let h2 = 0n
  for (let at = 0; at < completeBytes; at += 16) {
    h1 ^= mixFirst(blocks.getBigUint64(at, true))
    h1 = wrap((rotate(h1, 27n) + h2) * 5n + 0x52dce729n)
    h2 ^= mixSecond(blocks.getBigUint64(at + 8, true))
    h2 = wrap((rotate(h2, 31n) + h1) * 5n + 0x38495ab5n)
  }
  if (completeBytes < bytes.length) {
    h1 ^= mixFirst(blocks.getBigUint64(completeBytes, true))
    h2 ^= mixSecond(blocks.getBigUint64(completeBytes + 8, true))
  }
  const length = BigInt(bytes.length)
  return finalMix(h1 ^ length, h2 ^ length)
}

function finalMix(h1: bigint, h2: bigint): readonly [bigint, bigint] {
  const sum = wrap(h1 + h2)
  const first = finish(sum)
  const second = finish(wrap(sum + h2))
  return [wrap(first + second), wrap(first + second + second)]
}

function finish(h: bigint): bigint {
  const once = wrap((h ^ (h >> 33n)) * 0xff51afd7ed558ccdn)
  const twice = wrap((once ^ (once >> 33n)) * 0xc4ceb9fe1a85ec53n)
  return twice ^ (twice >> 33n)
}

const mixFirst = (block: bigint) => wrap(rotate(wrap(block * c1), 31n) * c2)
const mixSecond = (block: bigint) => wrap(rotate(wrap(block * c2), 33n) * c1)

function rotate(value: bigint, by: bigint): bigint {
  return wrap((value << by) | (value >> (64n - by)))
}

function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value)
}
