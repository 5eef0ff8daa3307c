/** Reads limits such as `10/60s`. */

import { JudgeInputError } from '../judge-input.ts'
import type { RateLimit } from '../models/model.ts'

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Reads `COUNT/PERIOD`: a period is a number and `ms`, `s`, `m`, `h` or `d`; the number may be missing, as in `10/s`.
 * Throws a `JudgeInputError` if the text is no limit.
 */
export function parseLimit(text: string): RateLimit {
  const match = /^(\d+)\/(\d+(?:\.\d+)?)?(ms|s|m|h|d)$/.exec(text.trim())
  if (match === null)
    throw new JudgeInputError(`"${text}" is not a limit; write COUNT/PERIOD, such as 10/60s, 5/1m or 100/h`)
  const [, count = '', period = '1', unit = ''] = match
  const periodMs = Number(period) * (unitMs[unit] ?? 0)
  if (Number(count) < 1 || Number(count) > 100_000)
    throw new JudgeInputError(`a limit is from 1 to 100000 requests, not ${count}`)
  if (periodMs < 100) throw new JudgeInputError(`a period is at least 100 ms, not ${text.split('/')[1]}`)
  return { count: Number(count), periodMs }
}

/** Reads a time such as `500ms` or `2s`. Throws a `JudgeInputError` if the text is none. */
export function parseTime(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim()) ?? []
  if (number === undefined) throw new JudgeInputError(`"${text}" is not a time; write 500ms, 2s, 1m, 1h or 1d`)
  return Number(number) * (unitMs[unit] ?? 0)
}

/** For people, such as "5 in 60 s". */
export function showLimit({ count, periodMs, burst }: RateLimit): string {
  return `${count} in ${periodMs / 1000} s${burst === undefined ? '' : ` with a burst of ${burst}`}`
}
