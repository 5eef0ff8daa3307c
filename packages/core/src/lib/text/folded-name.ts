/** The name of a JSON member for parsers that fold case. Some of them treat U+017F as `s` and U+212A as `k`. */
export function foldedName(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/**
 * Whether a parser that folds case could take the name for one of these, which are folded. Folding shortens a name to half
 * at most, so a much longer one is not folded: that takes quadratic time for some texts.
 */
export function foldsToOneOf(name: string, folded: ReadonlySet<string>): boolean {
  if (folded.has(name)) return true
  let longest = 0
  for (const one of folded) longest = Math.max(longest, one.length)
  return name.length <= longest * 4 && folded.has(foldedName(name))
}
