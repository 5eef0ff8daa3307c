/** Values of options that are numbers; anything else is a wrong use, told before the command begins. */
import { InvalidArgumentError } from 'commander'

export function parsePort(text: string): number {
  const port = Number(text)
  if (text.trim() === '' || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.')
  }
  return port
}

export function parseCount(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < -1)
    throw new InvalidArgumentError('This must be a number from 0 on, or -1 for no limit.')
  return value
}

/** A number to begin with, or of a law. */
export function parseWhole(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0) {
    throw new InvalidArgumentError('This must be a whole number from 0 on.')
  }
  return value
}

export function parseSeconds(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 86_400)) {
    throw new InvalidArgumentError('This must be seconds from 0 to 86400.')
  }
  return value
}

/** More than this no machine has use for. */
const mostWorkers = 256

export function parseWorkers(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isInteger(value) || value < 1 || value > mostWorkers) {
    throw new InvalidArgumentError(`The number of workers is a whole number from 1 to ${mostWorkers}.`)
  }
  return value
}

export function parseRounds(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isInteger(value) || value < 1 || value > 100_000) {
    throw new InvalidArgumentError('This must be a whole number from 1 on.')
  }
  return value
}

export function parseMilliseconds(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 60_000)) {
    throw new InvalidArgumentError('This must be milliseconds from 0 to 60000.')
  }
  return value
}
