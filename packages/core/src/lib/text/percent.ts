/**
 * Decodes percent-escapes. Bytes that are not valid UTF-8 stay escaped, but adjacent ASCII escapes are decoded, so that
 * an invalid escape cannot hide text from path rules.
 */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => decodeStrictly(run) ?? decodeAscii(run))
}

const brokenEscape = /%(?![0-9a-fA-F]{2})/g

/** Returns true if the text has a percent sign without two hexadecimal digits (RFC 3986, 2.1). */
export function hasBrokenEscape(text: string): boolean {
  return text.includes('%') && text.search(brokenEscape) !== -1
}

/** Escapes percent signs that do not begin an escape. */
export function repairEscapes(text: string): string {
  return text.replace(brokenEscape, '%25')
}

/** Decodes escapes of ASCII characters and leaves everything else unchanged. */
export function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-fA-F])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Returns the decoded text; `undefined` if an escape is incomplete or the bytes are not UTF-8. */
export function decodeStrictly(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
