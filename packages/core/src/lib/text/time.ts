/** Converts instants to texts and calendar dates in UTC. The current time comes from the Clock port. */

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Millis = number

// The only use of `Date` in core. Its type requires an instant, so that nothing here can read the system clock.
// biome-ignore lint/style/noRestrictedGlobals: a calendar for given instants only
const Calendar: new (at: Millis) => Date = Date

/** The last instant that `Date` represents, in the year 275760; the first one is its negative. */
const lastInstant = 8.64e15

function calendar(at: Millis) {
  return new Calendar(Math.max(-lastInstant, Math.min(lastInstant, Math.floor(at))))
}

/** RFC 3339 in UTC with milliseconds: `2026-03-01T12:00:00.250Z`. */
export function formatRfc3339(at: Millis): string {
  return calendar(at).toISOString()
}

/**
 * Formats a date for a header field (RFC 9110 section 5.6.7): `Sat, 01 Jan 2095 10:00:00 GMT`, or with another name of
 * UTC.
 */
export function formatHttpDate(at: Millis, zone: 'GMT' | 'UTC' = 'GMT'): string {
  return calendar(at).toUTCString().replace('GMT', zone)
}

/** Whole Unix seconds, the unit of times in sessions. */
export function unixSeconds(at: Millis): number {
  return Math.floor(at / 1000)
}

export interface CalendarHour {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
}

/** The calendar hour of an instant in UTC; months count from 1. */
export function calendarHour(at: Millis): CalendarHour {
  const date = calendar(at)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
  }
}

export interface CalendarTime extends CalendarHour {
  readonly minute: number
  readonly second: number
  readonly millis: number
  /** 0: Sunday. */
  readonly weekday: number
}

/** The calendar time of an instant in UTC; months count from 1. */
export function calendarTime(at: Millis): CalendarTime {
  const date = calendar(at)
  return {
    ...calendarHour(at),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millis: date.getUTCMilliseconds(),
    weekday: date.getUTCDay(),
  }
}

/** The instant of a date and time in UTC; months count from 1. Values beyond their range carry over. */
export function instantOf(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): Millis {
  const date = new Calendar(0)
  // Unlike `Date.UTC`, this does not add 1900 to years below 100.
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour, minute, second)
}

/** Returns true if the month, 1 to 12, has that day. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  return calendarHour(instantOf(year, month, day)).day === day
}

/** English abbreviations of the months, as in `Date.toUTCString()`. */
export const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns the month, 1 to 12, of its English abbreviation; 0 for any other text. */
export function monthNumber(name: string): number {
  return monthNames.indexOf(name) + 1
}
