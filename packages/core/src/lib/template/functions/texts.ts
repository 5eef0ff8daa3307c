/**
 * Functions that cut, join and pad texts. The value from the pipe is the last argument: `{{ .name | trimPrefix "x-"
 * }}`. Indexes count characters.
 */
import type { Budget } from '../budget.ts'
import { type FunctionTable, fixed, listOf, onText, textOf, variadic, wholeOf } from '../function-table.ts'
import { quote } from '../sprintf.ts'
import { isNil } from '../value.ts'

/** A function whose arguments are all texts. */
const onTexts = (count: number, run: (texts: string[], budget: Budget) => unknown) =>
  fixed(count, (args, budget) =>
    run(
      args.map((arg) => textOf(arg, budget)),
      budget,
    ),
  )

const size = (value: unknown) => Number(wholeOf(value))
const characters = (text: string) => Array.from(text)

/** Removes characters of the set from the ends. */
function trimSet(text: string, set: string, start: boolean, end: boolean): string {
  const off = new Set(set)
  const chars = characters(text)
  let from = 0
  let to = chars.length
  while (start && from < to && off.has(chars[from] as string)) from++
  while (end && to > from && off.has(chars[to - 1] as string)) to--
  return chars.slice(from, to).join('')
}

/** The first characters, or the last ones if the size is negative. */
function trunc(length: number, text: string): string {
  if (Math.abs(length) >= text.length) return text
  const chars = characters(text)
  return (length < 0 ? chars.slice(length) : chars.slice(0, length)).join('')
}

function substr(from: number, to: number, text: string): string {
  const chars = characters(text)
  return chars.slice(Math.max(from, 0), to < 0 || to > chars.length ? chars.length : to).join('')
}

function replaceAll(text: string, old: string, by: string, budget: Budget): string {
  const finds = old === '' ? text.length + 1 : text.split(old).length - 1
  budget.spend(text.length + finds * by.length)
  return text.replaceAll(old, () => by)
}

function repeat(count: bigint, text: string, budget: Budget): string {
  const times = count < 0n ? 0 : Number(count)
  budget.spend(times * text.length)
  return text === '' ? '' : text.repeat(times)
}

function indent(spaces: number, text: string, budget: Budget): string {
  const width = Math.max(spaces, 0)
  const lines = text.split('\n')
  budget.spend(lines.length * width)
  const blanks = ' '.repeat(width)
  return lines.map((line) => blanks + line).join('\n')
}

function join(separator: string, values: unknown, budget: Budget): string {
  const texts = Array.isArray(values) ? presentTexts(values, budget) : [textOf(values, budget)]
  let length = 0
  for (const text of texts) length += text.length + separator.length
  budget.spend(length)
  return texts.join(separator)
}

const presentTexts = (values: readonly unknown[], budget: Budget) =>
  values.filter((value) => !isNil(value)).map((value) => textOf(value, budget))

/** `split` returns a map with the keys `_0`, `_1`, and so on, for compatibility with the common library for Go. */
const numbered = (parts: readonly string[]) => new Map(parts.map((part, i) => [`_${i}`, part]))

/** At most `most` parts; the last one contains the rest. */
function splitAtMost(separator: string, most: number, text: string): string[] {
  if (most === 0) return []
  const parts = text.split(separator)
  if (most < 0 || parts.length <= most) return parts
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)]
}

function abbrev(width: number, text: string): string {
  const chars = characters(text)
  return width < 4 || chars.length <= width ? text : `${chars.slice(0, width - 3).join('')}...`
}

/** Abbreviates both ends; `offset` is the first character that is kept. */
function abbrevBoth(offset: number, width: number, text: string): string {
  const chars = characters(text)
  if (width < 4 || (offset > 0 && width < 7) || chars.length <= width) return text
  const last = chars.length - (width - 3)
  if (offset <= 4) return abbrev(width, text)
  if (offset >= last) return `...${chars.slice(last).join('')}`
  return `...${abbrev(width - 3, chars.slice(offset).join(''))}`
}

/** Breaks a text at spaces so that lines have at most `width` characters; longer words are broken if `breaksWords`. */
function wrap(width: number, separator: string, text: string, breaksWords: boolean, budget: Budget): string {
  const most = Math.max(width, 1)
  const chars = characters(text)
  const lines: string[] = []
  let from = 0
  while (chars.length - from > most) {
    if (chars[from] === ' ') {
      from++
      continue
    }
    const end = lineEnd(chars, from, most, breaksWords)
    lines.push(chars.slice(from, end).join(''))
    from = chars[end] === ' ' ? end + 1 : end
  }
  budget.spend(lines.length * separator.length)
  return [...lines, chars.slice(from).join('')].join(separator)
}

/** The index after a line: the last space that fits, otherwise the end of the word or of the width. */
function lineEnd(chars: readonly string[], from: number, width: number, breaksWords: boolean): number {
  for (let at = from + width; at >= from; at--) if (chars[at] === ' ') return at
  const next = breaksWords ? from + width : chars.indexOf(' ', from + width)
  return next === -1 ? chars.length : next
}

const trimAll = onTexts(2, ([set = '', text = '']) => trimSet(text, set, true, true))

export const textFunctions: FunctionTable = {
  trim: onText((text) => text.trim()),
  trimAll,
  trimall: trimAll,
  trimLeft: onTexts(2, ([set = '', text = '']) => trimSet(text, set, true, false)),
  trimRight: onTexts(2, ([set = '', text = '']) => trimSet(text, set, false, true)),
  trimPrefix: onTexts(2, ([head = '', text = '']) => (text.startsWith(head) ? text.slice(head.length) : text)),
  trimSuffix: onTexts(2, ([tail = '', text = '']) =>
    tail !== '' && text.endsWith(tail) ? text.slice(0, -tail.length) : text,
  ),
  trunc: fixed(2, ([length, text], budget) => trunc(size(length), textOf(text, budget))),
  abbrev: fixed(2, ([width, text], budget) => abbrev(size(width), textOf(text, budget))),
  substr: fixed(3, ([from, to, text], budget) => substr(size(from), size(to), textOf(text, budget))),
  abbrevboth: fixed(3, ([offset, width, text], budget) => abbrevBoth(size(offset), size(width), textOf(text, budget))),
  wrap: fixed(2, ([width, text], budget) => wrap(size(width), '\n', textOf(text, budget), false, budget)),
  wrapWith: fixed(3, ([width, separator, text], budget) =>
    wrap(size(width), textOf(separator, budget), textOf(text, budget), true, budget),
  ),
  replace: onTexts(3, ([old = '', by = '', text = ''], budget) => replaceAll(text, old, by, budget)),
  repeat: fixed(2, ([count, text], budget) => repeat(wholeOf(count), textOf(text, budget), budget)),
  nospace: onText((text) => text.replace(/\s+/g, '')),
  contains: onTexts(2, ([part = '', text = '']) => text.includes(part)),
  hasPrefix: onTexts(2, ([head = '', text = '']) => text.startsWith(head)),
  hasSuffix: onTexts(2, ([tail = '', text = '']) => text.endsWith(tail)),
  quote: variadic(0, (values, budget) => presentTexts(values, budget).map(quote).join(' ')),
  squote: variadic(0, (values, budget) =>
    presentTexts(values, budget)
      .map((text) => `'${text}'`)
      .join(' '),
  ),
  cat: variadic(0, (values, budget) => presentTexts(values, budget).join(' ')),
  indent: fixed(2, ([spaces, text], budget) => indent(size(spaces), textOf(text, budget), budget)),
  nindent: fixed(2, ([spaces, text], budget) => `\n${indent(size(spaces), textOf(text, budget), budget)}`),
  join: fixed(2, ([separator, values], budget) => join(textOf(separator, budget), values, budget)),
  split: onTexts(2, ([separator = '', text = '']) => numbered(text.split(separator))),
  splitList: onTexts(2, ([separator = '', text = '']) => text.split(separator)),
  splitn: fixed(3, ([separator, most, text], budget) =>
    numbered(splitAtMost(textOf(separator, budget), size(most), textOf(text, budget))),
  ),
  plural: fixed(3, ([one, many, count]) => (wholeOf(count) === 1n ? one : many)),
  hello: fixed(0, () => 'Hello!'),
  toString: onText((text) => text),
  toStrings: fixed(1, ([values], budget) => listOf(values).map((value) => textOf(value, budget))),
}
