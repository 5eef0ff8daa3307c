/** Values of options that are numbers; anything else is a wrong use, told before the command begins. */
import { InvalidArgumentError } from 'commander'

type ParseNumber = (text: string) => number

/** Takes a number for which `fits` holds; `message` says which ones that is. */
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

/** More than this no machine has use for. */
const maxWorkers = 256

export const parsePort = wholeBetween(0, 65_535, 'A port is a whole number from 0 to 65535.')

export const parseCount = numberThat(
  (value) => Number.isFinite(value) && value >= -1,
  'This must be a number from 0 on, or -1 for no limit.',
)

export const parseWorkers = wholeBetween(
  1,
  maxWorkers,
  `The number of workers is a whole number from 1 to ${maxWorkers}.`,
)
