/**
 * Text to UTF-8 bytes and back, by hand: the engine's library has no `TextEncoder`, and names of keys are short and
 * nearly always ASCII, where this is faster than an encoder object.
 */

/** The UTF-8 bytes of a text; a lone surrogate becomes U+FFFD, as the encoding standard says. */
export function utf8Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      bytes[at++] = unit
      continue
    }
    const point = scalarValueAt(text, i)
    if (point > 0xffff) i++
    if (point < 0x800) {
      bytes[at++] = 0xc0 | (point >> 6)
    } else {
      if (point < 0x10000) bytes[at++] = 0xe0 | (point >> 12)
      else {
        bytes[at++] = 0xf0 | (point >> 18)
        bytes[at++] = 0x80 | ((point >> 12) & 0x3f)
      }
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f)
    }
    bytes[at++] = 0x80 | (point & 0x3f)
  }
  return bytes.subarray(0, at)
}

function scalarValueAt(text: string, i: number): number {
  const point = text.codePointAt(i) as number
  return point >= 0xd800 && point <= 0xdfff ? 0xfffd : point
}

/** The text of UTF-8 bytes; `undefined` when they are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  let text = ''
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i++] as number
    if (first < 0x80) {
      text += String.fromCharCode(first)
      continue
    }
    const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1
    let point = first & (0x3f >> more)
    for (let k = 0; k < more; k++) {
      const next = bytes[i++]
      if (next === undefined || (next & 0xc0) !== 0x80) return undefined
      point = (point << 6) | (next & 0x3f)
    }
    if (first < 0xc0 || first > 0xf4 || !isShortestForm(point, more)) return undefined
    text += String.fromCodePoint(point)
  }
  return text
}

function isShortestForm(point: number, more: number): boolean {
  if (more === 1) return point >= 0x80
  if (more === 2) return point >= 0x800 && (point < 0xd800 || point > 0xdfff)
  return point >= 0x10000 && point <= 0x10ffff
}
