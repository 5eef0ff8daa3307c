/** Values of options that are numbers. */
import { numberThat, wholeBetween } from 'turnpike/embedding'

/** A number to begin with, or of a law. */
export const parseWhole = wholeBetween(0, Number.MAX_SAFE_INTEGER, 'This must be a whole number from 0 on.')

export const parseSeconds = numberThat(
  (value) => value >= 0 && value <= 86_400,
  'This must be seconds from 0 to 86400.',
)

export const parseRounds = wholeBetween(1, 100_000, 'This must be a whole number from 1 on.')

export const parseMilliseconds = numberThat(
  (value) => value >= 0 && value <= 60_000,
  'This must be milliseconds from 0 to 60000.',
)
