/**
 * The date of a signed request: `Mon, 02 Jan 2006 15:04:05 MST`. Names of zones other than UTC and GMT are accepted
 * and count as UTC, as recorded: a short name does not tell an offset. The name of the day is not compared.
 */
import { daysInMonth, daysSince1970 } from '../../definition/expiry.ts'
import type { Millis } from '../../ports/clock.ts'

const pattern =
  /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) (?:[A-Z]{3,5}|GMT[+-]\d{1,2})$/
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `undefined` when it is no such date. */
export function readSigningDate(text: string): Millis | undefined {
  const found = pattern.exec(text)
  if (found === null) return undefined
  const [, dayText, monthText, yearText, hourText, minuteText, secondText] = found
  const month = months.indexOf(monthText as string) + 1
  const [day, year, hour, minute, second] = [dayText, yearText, hourText, minuteText, secondText].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  if (month === 0 || day < 1 || day > daysInMonth(year, month) || hour > 23 || minute > 59 || second > 59)
    return undefined
  return ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60_000 + second * 1000
}
