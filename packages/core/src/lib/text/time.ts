/** Points in time as texts. The engine has no `Date`: a clock tells milliseconds, and this writes them. */
import type { Millis } from '../../ports/clock.ts'

const msPerSecond = 1000
const msPerDay = 86_400_000

/** RFC 3339 in UTC with milliseconds: `2026-03-01T12:00:00.250Z`. For times from 0000-03-01 to 9999-12-31. */
export function formatRfc3339(at: Millis): string {
  const days = Math.floor(at / msPerDay)
  const { year, month, day } = civilDate(days)
  const ms = Math.floor(at - days * msPerDay)
  const seconds = Math.floor(ms / msPerSecond)
  const date = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`
  const time = `${digits(Math.floor(seconds / 3600), 2)}:${digits(Math.floor(seconds / 60) % 60, 2)}:${digits(seconds % 60, 2)}`
  return `${date}T${time}.${digits(ms % msPerSecond, 3)}Z`
}

/** Whole Unix seconds, as sessions count time. */
export function unixSeconds(at: Millis): number {
  return Math.floor(at / msPerSecond)
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

/**
 * Date of a day counted from 1970-01-01. Years are taken to begin in March, so that the leap day is the last of its
 * year and every month's start is a linear function of its number.
 */
export function civilDate(daysSince1970: number): { year: number; month: number; day: number } {
  const daysBefore1970 = 719_468
  const daysPerEra = 146_097
  const day = daysSince1970 + daysBefore1970
  const era = Math.floor(day / daysPerEra)
  const dayOfEra = day - era * daysPerEra
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  }
}
