/** Formats times by Go's layouts: the reference time `Mon Jan 2 15:04:05 MST 2006` in the wanted form. */
import { type CalendarTime, calendarTime, instantOf, monthNames } from '../text/time.ts'
import { offsetText, type Zone } from './time-zone.ts'

export const fullMonthNames = ['January', 'February', 'March', 'April', 'May', 'June', 'July'].concat([
  'August',
  'September',
  'October',
  'November',
  'December',
])
export const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The elements of layouts, longer ones first. */
export const layoutElement =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|__2|002|0[1-6]|_(?=2006)|_2|2006|15|[1-5]|PM|pm|[-Z]07(?::00:00|0000|:00|00)?|[.,](?:0+|9+)(?!\d)/g

interface Fields extends CalendarTime {
  readonly zoneName: string
}

const pad = (value: number, width = 2, fill = '0') => String(value).padStart(width, fill)
const hour12 = (hour: number) => hour % 12 || 12
const yearDay = ({ year, month, day }: Fields) => (instantOf(year, month, day) - instantOf(year, 1, 1)) / 86_400_000 + 1

const writers: Readonly<Record<string, (fields: Fields) => string>> = {
  January: ({ month }) => fullMonthNames[month - 1] as string,
  Jan: ({ month }) => monthNames[month - 1] as string,
  Monday: ({ weekday }) => dayNames[weekday] as string,
  Mon: ({ weekday }) => (dayNames[weekday] as string).slice(0, 3),
  MST: ({ zoneName }) => zoneName,
  '1': ({ month }) => String(month),
  '01': ({ month }) => pad(month),
  '2': ({ day }) => String(day),
  _2: ({ day }) => pad(day, 2, ' '),
  '02': ({ day }) => pad(day),
  __2: (fields) => pad(yearDay(fields), 3, ' '),
  '002': (fields) => pad(yearDay(fields), 3),
  '15': ({ hour }) => pad(hour),
  '3': ({ hour }) => String(hour12(hour)),
  '03': ({ hour }) => pad(hour12(hour)),
  '4': ({ minute }) => String(minute),
  '04': ({ minute }) => pad(minute),
  '5': ({ second }) => String(second),
  '05': ({ second }) => pad(second),
  '2006': ({ year }) => pad(year, 4),
  '06': ({ year }) => pad(year % 100),
  PM: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  pm: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  _: () => '_',
}

/** Formats a time in ms since 1970. */
export function formatTime(layout: string, at: number, zone: Zone): string {
  const offset = zone.offsetAt(at)
  const fields = { ...calendarTime(at + offset * 1000), zoneName: layout.includes('MST') ? zone.nameAt(at) : '' }
  return layout.replace(layoutElement, (name) => {
    const writer = writers[name]
    if (writer !== undefined) return writer(fields)
    return /^[.,]/.test(name) ? writeFraction(name, fields.millis) : writeOffset(name, offset)
  })
}

/** `.000`: three digits; `.999`: the digits without trailing zeros. */
function writeFraction(name: string, millis: number): string {
  const digits = pad(millis, 3)
    .padEnd(name.length - 1, '0')
    .slice(0, name.length - 1)
  if (name[1] === '0') return `${name[0]}${digits}`
  const kept = digits.replace(/(?<!0)0+$/, '')
  return kept === '' ? '' : `${name[0]}${kept}`
}

function writeOffset(name: string, offset: number): string {
  if (name.startsWith('Z') && offset === 0) return 'Z'
  const separator = name.includes(':') ? ':' : ''
  const text = offsetText(offset, separator)
  if (name.length === 3) return text.slice(0, 3)
  return /00:?00$/.test(name) ? `${text}${separator}${pad(Math.abs(offset) % 60)}` : text
}
