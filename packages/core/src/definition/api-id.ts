import { decodeAscii, decodeStrictly } from '../lib/text/percent.ts'

/**
 * The id of an API is its file name, so it must not lead to another folder. Source:
 * docs/reference/api-management.md#create-checks.
 */
const decodingRounds = 3

/** Whether the id is a single path component, also after up to three rounds of percent-decoding. */
export function isSafeApiId(id: string): boolean {
  let text = id
  for (let round = 0; round <= decodingRounds; round++) {
    if (!isPlainComponent(text)) return false
    // Even if the text does not decode to UTF-8, single escapes can hide a separator.
    const decoded = decodeStrictly(text) ?? decodeAscii(text)
    if (decoded === text) return true
    text = decoded
  }
  return true
}

/** Files with these endings are documents of other APIs (`openapi/sidecar.ts`). */
const sidecarEnding = /-(?:oas|mcp)$/i

/** What the id of an API must be, for everything that writes a definition. */
export const apiIdRule =
  'a text that can be a file name: not empty, no slash, no dot at the start, and no ending -oas or -mcp'

/** Whether an API can have this id. Source: docs/reference/api-management.md#api-ids. */
export function isApiId(id: string): boolean {
  return isSafeApiId(id) && !sidecarEnding.test(id)
}

function isPlainComponent(text: string): boolean {
  // Files whose names begin with a dot are not read as definitions. NUL ends a file name on some systems.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must find control characters
  return text !== '' && !text.startsWith('.') && !/[\x00-\x1f\x7f/\\]/.test(text)
}
