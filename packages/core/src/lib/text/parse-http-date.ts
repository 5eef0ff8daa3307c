/**
 * Parses dates of header fields in the three forms of RFC 9110 section 5.6.7, in upper or lower case as RFC 9111 section
 * 4.2 asks of caches. `formatHttpDate` in `time.ts` writes them.
 */
import { calendarHour, instantOf, type Millis, monthNumber } from './time.ts'

const fixdate = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/i
const rfc850 = /^\w{6,9}, (\d{2})-(\w{3})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/i
const asctime = /^\w{3} (\w{3}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/i

/** Returns the instant, or `undefined` for any other text. `now` decides the century of two-digit years. */
export function parseHttpDate(text: string, now: Millis): Millis | undefined {
  const usual = fixdate.exec(text)
  if (usual !== null) return instant(Number(usual[3]), usual[2], usual[1], usual[4], usual[5], usual[6])
  const old = rfc850.exec(text)
  if (old !== null) return instant(fullYear(Number(old[3]), now), old[2], old[1], old[4], old[5], old[6])
  const c = asctime.exec(text)
  return c === null ? undefined : instant(Number(c[6]), c[1], c[2], c[3], c[4], c[5])
}

type Part = string | undefined

function instant(year: number, monthName: Part, day: Part, hour: Part, minute: Part, second: Part): Millis | undefined {
  const month = monthNumber(capitalised(monthName ?? ''))
  const [d, h, m, s] = [Number(day), Number(hour), Number(minute), Number(second)]
  // A leap second, 60, counts as the first second of the next minute.
  if (month === 0 || d < 1 || d > 31 || h > 23 || m > 59 || s > 60) return undefined
  return instantOf(year, month, d, h, m, s)
}

function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase()
}

/** A two-digit year more than 50 years in the future is in the past (RFC 9110 section 5.6.7). */
function fullYear(twoDigits: number, now: Millis): number {
  const thisYear = calendarHour(now).year
  const year = thisYear - (thisYear % 100) + twoDigits
  return year > thisYear + 50 ? year - 100 : year
}
