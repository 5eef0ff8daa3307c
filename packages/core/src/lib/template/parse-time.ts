/** Parses times by Go's layouts (`time-layout.ts`). */
import { instantOf, isCalendarDay, monthNames } from '../text/time.ts'
import { dayNames, fullMonthNames, layoutElement } from './time-layout.ts'
import { fixedZone, utc, type Zone } from './time-zone.ts'

/** What a parsed text has said so far. */
interface Draft {
  year: number
  month: number
  day: number
  yearDay: number | undefined
  hour: number
  minute: number
  second: number
  millis: number
  isPm: boolean | undefined
  zone: Zone
}

interface Reader {
  readonly pattern: RegExp
  read(text: string): Partial<Draft>
}

const name = (list: readonly string[]) => new RegExp(list.join('|'), 'iy')
const indexIn = (list: readonly string[], text: string) =>
  list.findIndex((one) => one.toLowerCase() === text.toLowerCase())

function numberReader(
  pattern: RegExp,
  field: 'year' | 'month' | 'day' | 'yearDay' | 'hour' | 'minute' | 'second',
): Reader {
  return {
    pattern,
    read: (text) => ({ [field]: Number(text) }),
  }
}

const one = /\d{1,2}/y
const two = /\d{2}/y
const half: Reader = {
  pattern: /[AP]M/iy,
  read: (text) => ({ isPm: text.toUpperCase() === 'PM' }),
}

/** The name of a day is read and not compared with the date, as in Go. */
const weekday = (pattern: RegExp): Reader => ({ pattern, read: () => ({}) })

const readers: Readonly<Record<string, Reader>> = {
  January: {
    pattern: name(fullMonthNames),
    read: (text) => ({ month: indexIn(fullMonthNames, text) + 1 }),
  },
  Jan: { pattern: name(monthNames), read: (text) => ({ month: indexIn(monthNames, text) + 1 }) },
  Monday: weekday(name(dayNames)),
  Mon: weekday(name(dayNames.map((day) => day.slice(0, 3)))),
  MST: {
    pattern: /[A-Z]{3,5}|[+-]\d{2,4}/y,
    read: (text) => ({ zone: text === 'UTC' ? utc : fixedZone(0, text) }),
  },
  '1': numberReader(one, 'month'),
  '01': numberReader(two, 'month'),
  '2': numberReader(one, 'day'),
  _2: numberReader(/ ?\d{1,2}/y, 'day'),
  '02': numberReader(two, 'day'),
  __2: numberReader(/ {0,2}\d{1,3}/y, 'yearDay'),
  '002': numberReader(/\d{3}/y, 'yearDay'),
  '15': numberReader(one, 'hour'),
  '3': numberReader(one, 'hour'),
  '03': numberReader(two, 'hour'),
  '4': numberReader(one, 'minute'),
  '04': numberReader(two, 'minute'),
  '5': numberReader(one, 'second'),
  '05': numberReader(two, 'second'),
  '2006': numberReader(/\d{4}/y, 'year'),
  // Two digits from 69 on belong to the 20th century.
  '06': { pattern: two, read: (text) => ({ year: Number(text) + (Number(text) >= 69 ? 1900 : 2000) }) },
  PM: half,
  pm: half,
  _: weekday(/_/y),
}

const offsetReader = (element: string): Reader => {
  const separator = element.includes(':') ? ':' : ''
  const count = element.length === 3 ? 0 : /00:?00$/.test(element) ? 2 : 1
  const digits = `[+-]\\d{2}${`${separator}\\d{2}`.repeat(count)}`
  return {
    pattern: new RegExp(element.startsWith('Z') ? `Z|${digits}` : digits, 'y'),
    read(text) {
      const [hours = 0, minutes = 0, seconds = 0] = (text.match(/\d{2}/g) ?? []).map(Number)
      const size = hours * 3600 + minutes * 60 + seconds
      return { zone: size === 0 ? utc : fixedZone(text.startsWith('-') ? -size : size) }
    },
  }
}

const fractionReader = (element: string): Reader => ({
  pattern: element[1] === '0' ? new RegExp(`[.,]\\d{${element.length - 1}}`, 'y') : /(?:[.,]\d+)?/y,
  read: readFraction,
})

function readFraction(text: string): Partial<Draft> {
  return { millis: Number(text.slice(1, 4).padEnd(3, '0')) }
}

/** Returns the time in ms since 1970 and its zone; `undefined` if the text does not have this layout. */
export function parseTime(layout: string, text: string): { readonly at: number; readonly zone: Zone } | undefined {
  const draft: Draft = {
    year: 0,
    month: 1,
    day: 1,
    yearDay: undefined,
    hour: 0,
    minute: 0,
    second: 0,
    millis: 0,
    isPm: undefined,
    zone: utc,
  }
  const end = readLayout(layout, text, draft)
  return end === text.length ? completed(draft) : undefined
}

/** Returns the index after the text that was read; -1 if the text does not have this layout. */
function readLayout(layout: string, text: string, draft: Draft): number {
  let at = 0
  let from = 0
  for (const match of layout.matchAll(layoutElement)) {
    const literal = layout.slice(from, match.index)
    if (!text.startsWith(literal, at)) return -1
    at += literal.length
    from = match.index + match[0].length
    const reader = readers[match[0]] ?? (/^[.,]/.test(match[0]) ? fractionReader : offsetReader)(match[0])
    at = readAt(reader, text, at, draft)
    // Seconds may have a fraction that the layout does not mention.
    if (at !== -1 && /^0?5$/.test(match[0]) && !/^[.,][09]/.test(layout.slice(from))) {
      at = readAt({ pattern: /(?:[.,]\d+)?/y, read: readFraction }, text, at, draft)
    }
    if (at === -1) return -1
  }
  const rest = layout.slice(from)
  return text.startsWith(rest, at) ? at + rest.length : -1
}

function readAt({ pattern, read }: Reader, text: string, at: number, draft: Draft): number {
  pattern.lastIndex = at
  const found = pattern.exec(text)?.[0]
  if (found === undefined) return -1
  Object.assign(draft, read(found))
  return at + found.length
}

function completed(draft: Draft): { readonly at: number; readonly zone: Zone } | undefined {
  const { hour, minute, second, isPm, millis, zone } = draft
  if (isPm !== undefined && hour > 12) return undefined
  const hours = isPm === undefined ? hour : (hour % 12) + (isPm ? 12 : 0)
  const day = dayOf(draft)
  if (day === undefined || hours > 23 || minute > 59 || second > 59) return undefined
  const local = day + ((hours * 60 + minute) * 60 + second) * 1000 + millis
  return { at: local - zone.offsetAt(local) * 1000, zone }
}

/** The instant at which the day begins in UTC; `undefined` if the month or year does not have it. */
function dayOf({ year, month, day, yearDay }: Draft): number | undefined {
  if (yearDay === undefined) {
    const exists = month >= 1 && month <= 12 && isCalendarDay(year, month, day)
    return exists ? instantOf(year, month, day) : undefined
  }
  const at = instantOf(year, 1, yearDay)
  return yearDay >= 1 && at < instantOf(year + 1, 1, 1) ? at : undefined
}
