/**
 * The date of a signed request: `Mon, 02 Jan 2006 15:04:05 MST`. Names of zones other than UTC and GMT are accepted
 * and count as UTC, because a short name does not determine an offset. The name of the day is not checked.
 */
import { instantOf, isCalendarDay, type Millis, monthNumber } from '../../lib/text/time.ts'

const pattern =
  /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) (?:[A-Z]{3,5}|GMT[+-]\d{1,2})$/

/** Parses the date; `undefined` if the text is invalid. */
export function readSigningDate(text: string): Millis | undefined {
  const found = pattern.exec(text)
  if (found === null) return undefined
  const month = monthNumber(found[2] as string)
  const [day, year, hour, minute, second] = [1, 3, 4, 5, 6].map((group) => Number(found[group])) as [
    number,
    number,
    number,
    number,
    number,
  ]
  if (month === 0 || !isCalendarDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return undefined
  return instantOf(year, month, day, hour, minute, second)
}
