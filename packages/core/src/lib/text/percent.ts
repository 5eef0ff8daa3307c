/**
 * Percent escapes as text. Bytes that do not spell UTF-8 stay escaped, but ASCII beside them is decoded, so that a
 * broken escape hides nothing from path rules.
 */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => decodeStrictly(run) ?? decodeAscii(run))
}

/** Decodes single escapes of ASCII characters and leaves everything else as it is. */
export function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-fA-F])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** The decoded text. `undefined`: an escape is incomplete, or the bytes are not UTF-8. */
export function decodeStrictly(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
