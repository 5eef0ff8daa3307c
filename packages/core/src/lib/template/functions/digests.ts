/** Digests and checksums of texts. Password hashes and ciphers are excluded: see `excluded.ts`. */
import { sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { utf8Bytes } from '../../text/utf8.ts'
import { type FunctionTable, onText } from '../function-table.ts'

/** Work of one character: digests take about this much longer than copying. */
const characterCost = 8

const digest = (run: (bytes: Uint8Array) => Uint8Array) =>
  onText((text, budget) => {
    budget.spend(text.length * characterCost)
    return Array.from(run(utf8Bytes(text)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  })

/** RFC 1950 section 8.2, as a decimal number. */
function adler32(bytes: Uint8Array): string {
  let a = 1
  let b = 0
  for (const byte of bytes) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  return String(b * 65_536 + a)
}

export const digestFunctions: FunctionTable = {
  sha1sum: digest(sha1),
  sha256sum: digest(sha256),
  sha512sum: digest(sha512),
  adler32sum: onText((text, budget) => {
    budget.spend(text.length * characterCost)
    return adler32(utf8Bytes(text))
  }),
}
