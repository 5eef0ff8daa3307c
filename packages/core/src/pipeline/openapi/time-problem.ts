/** Validates dates and times (RFC 3339) for the formats `date` and `date-time`, with the messages of the original gateway. */

import { isCalendarDay } from '../../lib/text/time.ts'

/** An element of a layout: its name in messages, its pattern and its allowed values. */
interface Element {
  readonly name: string
  readonly pattern: RegExp
  readonly unit?: string
  readonly range?: readonly [least: number, most: number]
}

const dateElements: readonly Element[] = [
  { name: '2006', pattern: /^\d{4}/, unit: 'year' },
  { name: '-', pattern: /^-/ },
  { name: '01', pattern: /^\d{2}/, unit: 'month', range: [1, 12] },
  { name: '-', pattern: /^-/ },
  { name: '02', pattern: /^\d{2}/, unit: 'day' },
]
const timeElements: readonly Element[] = [
  { name: 'T', pattern: /^T/ },
  { name: '15', pattern: /^\d{2}/, unit: 'hour', range: [0, 23] },
  { name: ':', pattern: /^:/ },
  { name: '04', pattern: /^\d{2}/, unit: 'minute', range: [0, 59] },
  { name: ':', pattern: /^:/ },
  { name: '05', pattern: /^\d{2}(?:[.,]\d+)?/, unit: 'second', range: [0, 59] },
  { name: 'Z07:00', pattern: /^(?:Z|[+-]\d{2}:\d{2})/ },
]
const layouts = { date: dateElements, 'date-time': [...dateElements, ...timeElements] } as const

/** Returns why the text is invalid; `undefined` if it is valid. */
export function timeProblem(text: string, format: 'date' | 'date-time'): string | undefined {
  const layout = layouts[format]
  const values = new Map<string, number>()
  let rest = text
  for (const { name, pattern, unit, range } of layout) {
    const found = pattern.exec(rest)?.[0]
    if (found === undefined) {
      const expected = layout.map((element) => element.name).join('')
      return `parsing time "${text}" as "${expected}": cannot parse "${rest}" as "${name}"`
    }
    rest = rest.slice(found.length)
    if (unit === undefined) continue
    const value = Number.parseInt(found, 10)
    values.set(unit, value)
    if (range !== undefined && (value < range[0] || value > range[1]))
      return `parsing time "${text}": ${unit} out of range`
  }
  if (rest !== '') return `parsing time "${text}": extra text: "${rest}"`
  const [year, month, day] = ['year', 'month', 'day'].map((unit) => values.get(unit) ?? 0) as [number, number, number]
  return isCalendarDay(year, month, day) ? undefined : `parsing time "${text}": day out of range`
}
