/** Dates of expiry as definitions write them: `2006-01-02 15:04`, UTC; `-1` or nothing for never. */
const writtenDate = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2})$/

const msPerMinute = 60_000
const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

/** When it expires, in ms since 1970; `undefined`: never. What is no date counts as expired: 0. */
export function parseExpiry(text: string): number | undefined {
  if (text === '' || text === '-1') return undefined
  const match = writtenDate.exec(text)
  if (match === null) return 0
  const [year, month, day, hour, minute] = match.slice(1).map(Number) as [number, number, number, number, number]
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month) || hour > 23 || minute > 59) return 0
  return ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * msPerMinute
}

/** Days of the Gregorian calendar since 1970-01-01; counted by hand since the engine has no `Date`. */
export function daysSince1970(year: number, month: number, day: number): number {
  const past = year - 1
  const leapDays = (y: number) => Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
  const days = past * 365 + leapDays(past) + (daysBeforeMonth[month - 1] as number) + day - 1
  return days + (month > 2 && isLeap(year) ? 1 : 0) - (1969 * 365 + leapDays(1969))
}

/** Days of a month, 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
