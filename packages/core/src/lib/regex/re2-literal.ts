/** Recognises patterns that are plain text, perhaps anchored: the most common ones in path lists. */
export interface LiteralPattern {
  readonly text: string
  readonly atStart: boolean
  readonly atEnd: boolean
}

const special = /[\\.+*?()|[\]{}^$]/

/** The text that the pattern looks for; `undefined` when it is more than a text. */
export function literalOf(pattern: string): LiteralPattern | undefined {
  const atStart = pattern.startsWith('^')
  const atEnd = pattern.endsWith('$') && pattern.length > (atStart ? 1 : 0)
  const text = pattern.slice(atStart ? 1 : 0, atEnd ? -1 : undefined)
  return special.test(text) ? undefined : { text, atStart, atEnd }
}
