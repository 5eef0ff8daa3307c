const space = 0x20
const tab = 0x09

const isSpace = (code: number) => code === space || code === tab

/** Removes spaces and tabs around a field value. By index, because /[\t ]+$/ takes quadratic time for spaces in the middle. */
export function trimSpaces(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start += 1
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}
