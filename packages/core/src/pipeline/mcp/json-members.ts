/**
 * The members of a JSON object as they are written, for what `JSON.parse` does not tell: names that stand twice, and
 * values as their sender wrote them. Works on texts that `JSON.parse` has taken; nothing here recurses.
 */

/** One member: its name with escapes undone, and where its value begins and ends. */
export type VisitMember = (name: string, from: number, to: number) => void

const quote = 0x22
const backslash = 0x5c

/** Visits the members of the object that begins at or after `at`, in order; none where there is no object. */
export function eachMember(text: string, at: number, visit: VisitMember): void {
  let i = skipBlank(text, at)
  if (text[i] !== '{') return
  i = skipBlank(text, i + 1)
  while (text.charCodeAt(i) === quote) {
    const nameEnd = skipString(text, i)
    const name = text.slice(i + 1, nameEnd - 1)
    const from = skipBlank(text, skipBlank(text, nameEnd) + 1)
    const to = skipValue(text, from)
    visit(name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name, from, to)
    i = skipBlank(text, to)
    if (text[i] === ',') i = skipBlank(text, i + 1)
  }
}

function skipBlank(text: string, at: number): number {
  let i = at
  for (;;) {
    const code = text.charCodeAt(i)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return i
    i++
  }
}

/** Behind the closing quote of the string that begins here. */
function skipString(text: string, at: number): number {
  let i = at + 1
  while (i < text.length && text.charCodeAt(i) !== quote) i += text.charCodeAt(i) === backslash ? 2 : 1
  return i + 1
}

/** Behind the value that begins here. */
function skipValue(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return skipString(text, at)
  if (first !== '{' && first !== '[') return skipScalar(text, at)
  let depth = 0
  for (let i = at; i < text.length; ) {
    const code = text.charCodeAt(i)
    if (code === quote) {
      i = skipString(text, i)
      continue
    }
    i++
    if (code === 0x7b || code === 0x5b) depth++
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return i
  }
  return text.length
}

function skipScalar(text: string, at: number): number {
  let i = at
  while (i < text.length && !',}] \n\r\t'.includes(text[i] as string)) i++
  return i
}
