/** Durations as Go writes them: `1h2m3s`, `-1.5h`, `300ms`. */

const nanos: Readonly<Record<string, number>> = {
  h: 3.6e12,
  m: 6e10,
  s: 1e9,
  ms: 1e6,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ns: 1,
}
const pieces = /(\d+\.?\d*|\.\d+)(h|ms|m|s|us|µs|μs|ns)/g

/** Returns the nanoseconds; `undefined` if the text is not a duration. */
export function parseGoDuration(text: string): number | undefined {
  const digits = text.replace(/^[+-]/, '')
  const sign = text.startsWith('-') ? -1 : 1
  if (digits === '0') return 0
  if (digits === '' || digits.replace(pieces, '') !== '') return undefined
  let sum = 0
  for (const [, amount, unit] of digits.matchAll(pieces)) sum += Number(amount) * (nanos[unit as string] ?? 0)
  return sign * sum
}

/** Writes whole seconds: `2h34m7s`, `1m35s`, `0s`. */
export function formatSeconds(seconds: bigint): string {
  const size = seconds < 0n ? -seconds : seconds
  const sign = seconds < 0n ? '-' : ''
  if (size < 60n) return `${sign}${size}s`
  const minutes = `${(size / 60n) % 60n}m${size % 60n}s`
  return size < 3600n ? sign + minutes : `${sign}${size / 3600n}h${minutes}`
}
