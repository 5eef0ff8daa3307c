/** Parsers of options with numbers and times. Invalid values end the program before the command runs. */
import { InvalidArgumentError } from 'commander'

type ParseNumber = (text: string) => number

/** Accepts numbers for which `fits` returns true; `message` describes them. */
export function numberThat(fits: (value: number) => boolean, message: string): ParseNumber {
  return (text) => {
    const value = Number(text)
    if (text.trim() === '' || !fits(value)) throw new InvalidArgumentError(message)
    return value
  }
}

export function wholeBetween(min: number, max: number, message: string): ParseNumber {
  return numberThat((value) => Number.isInteger(value) && value >= min && value <= max, message)
}

/** A limit against typing errors; more than one worker per processor core has no use. */
const maxWorkers = 256

export const parsePort = wholeBetween(0, 65_535, 'A port is a whole number from 0 to 65535.')

export const parseRequests = wholeBetween(1, 100_000, 'The number of requests is a whole number from 1 to 100,000.')

export const parseCount = numberThat(
  (value) => Number.isFinite(value) && value >= -1,
  'This must be a number from 0 on, or -1 for no limit.',
)

const parseWorkerCount = wholeBetween(
  1,
  maxWorkers,
  `The number of workers is a whole number from 1 to ${maxWorkers}, or max: one for each core.`,
)

export const parseWorkers = (text: string): number | 'max' => (text === 'max' ? text : parseWorkerCount(text))

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** A time span from now, a date or `never`, as Unix seconds; 0: never. */
export const parseExpiry: ParseNumber = (text) => {
  if (text === 'never') return 0
  const [, count, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  if (count !== undefined) return Math.floor(Date.now() / 1000) + Number(count) * (secondsOf[unit] ?? 0)
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new InvalidArgumentError('Write a span such as 30d, a date such as 2030-01-31, or never.')
  return Math.floor(time / 1000)
}
