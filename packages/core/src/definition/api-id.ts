import { decodeAscii, decodeStrictly } from '../lib/text/percent.ts'

/** An API's id names its file, so it must not lead anywhere else. Source: spec/apis-and-pipeline.md 1.1, step 5. */
const decodingRounds = 3

/** Whether the id is one plain path component, also after up to three rounds of percent-decoding. */
export function isSafeApiId(id: string): boolean {
  let text = id
  for (let round = 0; round <= decodingRounds; round++) {
    if (!isPlainComponent(text)) return false
    // If it is not percent-encoding of UTF-8, single escapes may still hide a separator.
    const decoded = decodeStrictly(text) ?? decodeAscii(text)
    if (decoded === text) return true
    text = decoded
  }
  return true
}

function isPlainComponent(text: string): boolean {
  if (text === '' || text === '.' || text === '..') return false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Control characters too: a NUL ends a file name for some systems.
    if (code < 0x20 || code === 0x2f || code === 0x5c || code === 0x7f) return false
  }
  return true
}
