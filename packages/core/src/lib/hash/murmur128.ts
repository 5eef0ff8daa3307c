/**
 * MurmurHash3 x64-128 with seed 0, on pairs of 32 bit halves. BigInt would allocate on every step, and this code runs
 * on every cache miss of a hashed key. Source of the constants: the reference implementation of MurmurHash3.
 */

// The 64 bit register. One pair for the module is enough, because nothing here is re-entrant.
let high = 0
let low = 0

function load(h: number, l: number): void {
  high = h | 0
  low = l | 0
}

function add(h: number, l: number): void {
  const sum = (low >>> 0) + (l >>> 0)
  low = sum | 0
  high = (high + h + (sum > 0xffffffff ? 1 : 0)) | 0
}

function xor(h: number, l: number): void {
  high ^= h
  low ^= l
}

function rotate(by: number): void {
  const h = high
  const l = low
  if (by < 32) load((h << by) | (l >>> (32 - by)), (l << by) | (h >>> (32 - by)))
  else if (by === 32) load(l, h)
  else load((l << (by - 32)) | (h >>> (64 - by)), (h << (by - 32)) | (l >>> (64 - by)))
}

function multiply(h: number, l: number): void {
  const a0 = low & 0xffff
  const a1 = low >>> 16
  const b0 = l & 0xffff
  const b1 = l >>> 16
  // The upper half of low × l, from four products of 16 bits; the sums stay below 2^53.
  const middle = a1 * b0 + ((a0 * b0) >>> 16)
  const carry = (middle & 0xffff) + a0 * b1
  const upper = a1 * b1 + Math.floor(middle / 0x10000) + Math.floor(carry / 0x10000)
  high = (upper + Math.imul(high, l) + Math.imul(low, h)) | 0
  low = Math.imul(low, l)
}

const multiplyByC1 = () => multiply(0x87c37b91, 0x114253d5)
const multiplyByC2 = () => multiply(0x4cf5ad43, 0x2745937f)

function mixFirst(): void {
  multiplyByC1()
  rotate(31)
  multiplyByC2()
}

function mixSecond(): void {
  multiplyByC2()
  rotate(33)
  multiplyByC1()
}

function finish(): void {
  xor(0, high >>> 1)
  multiply(0xff51afd7, 0xed558ccd)
  xor(0, high >>> 1)
  multiply(0xc4ceb9fe, 0x1a85ec53)
  xor(0, high >>> 1)
}

function times5Plus(constant: number): void {
  multiply(0, 5)
  add(0, constant)
}

function wordAt(bytes: Uint8Array, at: number, end: number): number {
  let word = 0
  for (let i = Math.min(at + 3, end - 1); i >= at; i--) word = (word << 8) | (bytes[i] as number)
  return word
}

/** Hashes bytes to four unsigned 32 bit numbers, the most significant first. */
export function murmur128(bytes: Uint8Array): readonly [number, number, number, number] {
  const end = bytes.length
  let h1h = 0
  let h1l = 0
  let h2h = 0
  let h2l = 0
  let at = 0
  for (; at + 16 <= end; at += 16) {
    load(wordAt(bytes, at + 4, end), wordAt(bytes, at, end))
    mixFirst()
    xor(h1h, h1l)
    rotate(27)
    add(h2h, h2l)
    times5Plus(0x52dce729)
    h1h = high
    h1l = low
    load(wordAt(bytes, at + 12, end), wordAt(bytes, at + 8, end))
    mixSecond()
    xor(h2h, h2l)
    rotate(31)
    add(h1h, h1l)
    times5Plus(0x38495ab5)
    h2h = high
    h2l = low
  }
  if (end - at > 8) {
    load(wordAt(bytes, at + 12, end), wordAt(bytes, at + 8, end))
    mixSecond()
    h2h ^= high
    h2l ^= low
  }
  if (end > at) {
    load(wordAt(bytes, at + 4, end), wordAt(bytes, at, end))
    mixFirst()
    h1h ^= high
    h1l ^= low
  }
  return finalMix(h1h, h1l ^ end, h2h, h2l ^ end)
}

function finalMix(h1h: number, h1l: number, h2h: number, h2l: number): readonly [number, number, number, number] {
  load(h1h, h1l)
  add(h2h, h2l)
  const sumHigh = high
  const sumLow = low
  load(h2h, h2l)
  add(sumHigh, sumLow)
  finish()
  const secondHigh = high
  const secondLow = low
  load(sumHigh, sumLow)
  finish()
  add(secondHigh, secondLow)
  const firstHigh = high
  const firstLow = low
  load(secondHigh, secondLow)
  add(firstHigh, firstLow)
  return [firstHigh >>> 0, firstLow >>> 0, high >>> 0, low >>> 0]
}
