/** Reads dates of header fields in the three forms of RFC 9110, 5.6.7. Writing them is `http-date.ts` of core. */
import type { Millis } from '../../ports/clock.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const fixdate = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const rfc850 = /^\w{6,9}, (\d{2})-(\w{3})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const asctime = /^\w{3} (\w{3}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/

/** The instant, or `undefined` for what is no date. `now` places years that are written with two digits. */
export function parseHttpDate(text: string, now: Millis): Millis | undefined {
  const usual = fixdate.exec(text)
  if (usual !== null) return instant(usual[3], usual[2], usual[1], usual[4], usual[5], usual[6])
  const old = rfc850.exec(text)
  if (old !== null) return instant(String(fullYear(Number(old[3]), now)), old[2], old[1], old[4], old[5], old[6])
  const c = asctime.exec(text)
  return c === null ? undefined : instant(c[6], c[1], c[2], c[3], c[4], c[5])
}

type Part = string | undefined

function instant(year: Part, monthName: Part, day: Part, hour: Part, minute: Part, second: Part): Millis | undefined {
  const month = months.indexOf(monthName ?? '')
  const [d, h, m, s] = [Number(day), Number(hour), Number(minute), Number(second)]
  // A leap second, 60, counts as the next minute's first.
  if (month < 0 || d < 1 || d > 31 || h > 23 || m > 59 || s > 60) return undefined
  return (daysSince1970(Number(year), month + 1, d) * 86_400 + h * 3600 + m * 60 + s) * 1000
}

/** More than 50 years ahead means the past (RFC 9110, 5.6.7). */
function fullYear(twoDigits: number, now: Millis): number {
  const thisYear = 1970 + Math.floor(now / 31_556_952_000)
  const year = thisYear - (thisYear % 100) + twoDigits
  return year > thisYear + 50 ? year - 100 : year
}

/** Years are taken to begin in March, so that the leap day is the last of its year. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year
  const marchMonth = (month + 9) % 12
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leapDays + Math.floor((153 * marchMonth + 2) / 5) + day - 1 - 719_468
}
