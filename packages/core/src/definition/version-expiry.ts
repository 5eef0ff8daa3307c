/** Expiry dates of definitions: `2006-01-02 15:04` in UTC; `-1` or an empty text means never. */
import { instantOf, isCalendarDay, type Millis } from '../lib/text/time.ts'

const writtenDate = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2})$/

/** The instant of expiry; `undefined`: never; 0: the date is invalid, which counts as expired. */
export function parseExpiry(text: string): Millis | undefined {
  if (text === '' || text === '-1') return undefined
  const match = writtenDate.exec(text)
  if (match === null) return 0
  const [year, month, day, hour, minute] = match.slice(1).map(Number) as [number, number, number, number, number]
  if (month < 1 || month > 12 || !isCalendarDay(year, month, day) || hour > 23 || minute > 59) return 0
  return instantOf(year, month, day, hour, minute)
}
