import { describe, expect, it } from 'vitest'
import { calendarHour, formatHttpDate, formatRfc3339, instantOf, isCalendarDay, unixSeconds } from './time.ts'

describe('formatting times', () => {
  it('writes a leap day with milliseconds', () => {
    expect(formatRfc3339(Date.UTC(2024, 1, 29, 23, 59, 59, 7))).toBe('2024-02-29T23:59:59.007Z')
  })
  it('rounds fractions of a millisecond down, before 1970 too', () => {
    expect(formatRfc3339(0.75)).toBe('1970-01-01T00:00:00.000Z')
    expect(formatRfc3339(-0.25)).toBe('1969-12-31T23:59:59.999Z')
  })
  it('clamps times outside the calendar to the nearest date', () => {
    expect(formatRfc3339(1e300)).toBe('+275760-09-13T00:00:00.000Z')
  })
  it('formats dates of header fields, with either name of the time zone', () => {
    const at = Date.UTC(2095, 0, 1, 10)
    expect(formatHttpDate(at)).toBe('Sat, 01 Jan 2095 10:00:00 GMT')
    expect(formatHttpDate(at, 'UTC')).toBe('Sat, 01 Jan 2095 10:00:00 UTC')
  })
  it('truncates to seconds', () => {
    expect(unixSeconds(1999)).toBe(1)
  })
})

describe('calendar dates', () => {
  it('normalises parts that are out of range, and does not change years below 100', () => {
    expect(instantOf(2023, 2, 31, 23, 59, 60)).toBe(Date.UTC(2023, 2, 4))
    expect(calendarHour(instantOf(50, 3, 1, 12))).toEqual({ year: 50, month: 3, day: 1, hour: 12 })
  })
  it('validates days by the length of the month', () => {
    const days: [number, number, number][] = [
      [2024, 2, 29],
      [2100, 2, 28],
      [2000, 2, 29],
      [2023, 4, 30],
      [2023, 12, 31],
    ]
    for (const [year, month, last] of days) {
      expect(isCalendarDay(year, month, last)).toBe(true)
      expect(isCalendarDay(year, month, last + 1)).toBe(false)
    }
    expect(isCalendarDay(2023, 1, 0)).toBe(false)
  })
})
