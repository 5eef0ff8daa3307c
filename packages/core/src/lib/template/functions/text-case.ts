/** Functions that change the case of texts, or the separators between their words. */
import { type FunctionTable, onText } from '../function-table.ts'

const wordStart = /(?<![\p{L}\p{Nd}'])\p{L}/gu

/** Splits a name in any notation into words: `userId`, `user_id`, `User ID`, `HTTPServer`. */
function wordsOf(text: string): string[] {
  return text.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Nd}+/gu) ?? []
}

const joined = (separator: string) =>
  onText((text) =>
    wordsOf(text)
      .map((word) => word.toLowerCase())
      .join(separator),
  )

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

function swapCase(text: string): string {
  return Array.from(text, (char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())).join('')
}

export const textCaseFunctions: FunctionTable = {
  upper: onText((text) => text.toUpperCase()),
  lower: onText((text) => text.toLowerCase()),
  title: onText((text) => text.replace(wordStart, (letter) => letter.toUpperCase())),
  untitle: onText((text) => text.replace(wordStart, (letter) => letter.toLowerCase())),
  swapcase: onText(swapCase),
  snakecase: joined('_'),
  kebabcase: joined('-'),
  camelcase: onText((text) => wordsOf(text).map(capital).join('')),
  initials: onText((text) => (text.match(wordStart) ?? []).join('')),
}
