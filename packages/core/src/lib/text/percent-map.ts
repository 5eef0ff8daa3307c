/**
 * Decodes percent-escapes and keeps the mapping back to the undecoded text, so that what a pattern finds in the decoded
 * text can be taken from the original with its escapes.
 */
import { decodePercent, decodeStrictly } from './percent.ts'

export interface PercentMap {
  readonly text: string
  /** The part of the original text that a range of `text` represents. Escapes have capital digits. */
  rawOf(start: number, end: number): string
}

export function mapPercent(raw: string): PercentMap {
  /** Start in `raw` of each UTF-16 unit of the decoded text, and the end of `raw`. */
  const starts: number[] = []
  let text = ''
  const add = (decoded: string, at: number, width: number) => {
    for (let i = 0; i < decoded.length; i++) starts.push(at + i * width)
    text += decoded
  }
  let from = 0
  for (const { 0: run, index } of raw.matchAll(/(?:%[0-9a-fA-F]{2})+/g)) {
    add(raw.slice(from, index), from, 1)
    from = index + run.length
    if (decodeStrictly(run) === undefined) addSingly(run, index, add)
    else addCharacters(decodePercent(run), index, add)
  }
  add(raw.slice(from), from, 1)
  starts.push(raw.length)
  const rawOf = (start: number, end: number) =>
    raw.slice(starts[start], starts[end]).replace(/%[0-9a-fA-F]{2}/g, (escaped) => escaped.toUpperCase())
  return { text, rawOf }
}

type Add = (decoded: string, at: number, width: number) => void

/** The escapes of a run that is valid UTF-8. Both units of a surrogate pair begin at the first escape. */
function addCharacters(decoded: string, index: number, add: Add): void {
  let at = index
  for (const character of decoded) {
    add(character, at, 0)
    at += 3 * utf8Length(character)
  }
}

/** The escapes of a run that is not valid UTF-8: `decodePercent` decodes only those of ASCII characters. */
function addSingly(run: string, index: number, add: Add): void {
  for (let i = 0; i < run.length; i += 3) {
    const decoded = decodePercent(run.slice(i, i + 3))
    add(decoded, index + i, 1)
  }
}

function utf8Length(character: string): number {
  const code = character.codePointAt(0) as number
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}
