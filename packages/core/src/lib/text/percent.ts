/**
 * Percent escapes as text. Bytes that do not spell UTF-8 stay escaped, but ASCII beside them is decoded, so that a
 * broken escape hides nothing from path rules.
 */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run.replace(/%([0-7][0-9a-fA-F])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    }
  })
}
