/** Dates as header fields write them (RFC 9110, 5.6.7). */
import type { Millis } from '../../ports/clock.ts'
import { civilDate } from './time.ts'

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const dayMs = 86_400_000

/** `Sat, 01 Jan 2095 10:00:00 GMT`, or with another name of the zone where the record has one. */
export function formatHttpDate(at: Millis, zone = 'GMT'): string {
  const days = Math.floor(at / dayMs)
  const seconds = Math.floor((at - days * dayMs) / 1000)
  const { year, month, day } = civilDate(days)
  // 1970-01-01 was a Thursday.
  const weekday = weekdays[(((days + 4) % 7) + 7) % 7]
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':')
  return `${weekday}, ${twoDigits(day)} ${months[month - 1]} ${year} ${time} ${zone}`
}

const twoDigits = (value: number) => String(value).padStart(2, '0')
