/** Parses numeric option values. */
import { numberThat, wholeBetween } from 'turnpike/embedding'

/** Parses a non-negative integer, such as a seed or a property number. */
export const parseWhole = wholeBetween(0, Number.MAX_SAFE_INTEGER, 'This must be a whole number from 0 on.')

export const parseSeconds = numberThat(
  (value) => value >= 0 && value <= 86_400,
  'This must be seconds from 0 to 86400.',
)

export const parseRounds = wholeBetween(1, 100_000, 'This must be a whole number from 1 on.')

const parseMilliseconds = numberThat(
  (value) => value >= 0 && value <= 60_000,
  'This must be milliseconds from 0 to 60000.',
)

export const parsePercent = numberThat(
  (value) => value >= 0 && value < 100,
  'This must be a percentage from 0 to below 100.',
)

const parseSize = wholeBetween(1, 100_000, 'This must be whole numbers from 1 to 100000, separated by commas.')

/** Parses durations such as `1,10,100`. */
export const parseMillisecondsList = (text: string) => text.split(',').map((part) => parseMilliseconds(part))

/** Parses numbers of items such as `1,10,1000`. */
export const parseSizes = (text: string) => text.split(',').map((part) => parseSize(part))
