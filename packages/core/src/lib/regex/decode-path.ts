import { decodeStrictly } from '../text/percent.ts'

/**
 * A path with its harmless percent-escapes decoded, so that `/%6Frders/` matches the API at `/orders/`, and the mapping
 * back to positions in the original path. Escaped slashes and percent signs stay: decoding them would change the
 * meaning of the path (RFC 3986 section 2.2).
 */
export interface DecodedPath {
  readonly text: string
  /** Length of the part of the original path that the first `length` characters of `text` represent. */
  rawLength(length: number): number
}

const run = /(?:%(?!2[5fF])[0-9a-fA-F]{2})+/g

/** Decodes escapes; bytes that are not valid UTF-8 stay escaped. */
export function decodePath(path: string): DecodedPath {
  let text = ''
  const pieces: { readonly start: number; readonly decoded: string; readonly raw: string }[] = []
  let from = 0
  for (const found of path.matchAll(run)) {
    const decoded = decodeStrictly(found[0]) ?? found[0]
    text += path.slice(from, found.index)
    pieces.push({ start: text.length, decoded, raw: found[0] })
    text += decoded
    from = found.index + found[0].length
  }
  text += path.slice(from)
  return {
    text,
    rawLength(length) {
      let raw = length
      for (const piece of pieces) {
        if (piece.start >= length) break
        const inside = piece.decoded.slice(0, length - piece.start)
        raw += (piece.decoded === piece.raw ? inside.length : encodedLength(inside)) - inside.length
      }
      return raw
    },
  }
}

/** Length of the text if every byte of its UTF-8 is percent-escaped. */
function encodedLength(text: string): number {
  let bytes = 0
  for (const char of text) {
    const code = char.codePointAt(0) as number
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes * 3
}
