/**
 * Visits the members of a JSON object in the source text, because `JSON.parse` reports neither duplicate names nor the
 * exact text of values. Requires valid JSON. Not recursive, so that nested input cannot exhaust the stack.
 */

/** Called with the unescaped name of a member and the start and end of its value. */
export type VisitMember = (name: string, from: number, to: number) => void

const quote = 0x22
const backslash = 0x5c

/** Visits the members of the object that begins at or after `at`, in order; none if the value is not an object. */
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

/** Returns the index after the closing quote of the string that begins at `at`. */
function skipString(text: string, at: number): number {
  let i = at + 1
  while (i < text.length && text.charCodeAt(i) !== quote) i += text.charCodeAt(i) === backslash ? 2 : 1
  return i + 1
}

/** Returns the index after the value that begins at `at`. */
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
