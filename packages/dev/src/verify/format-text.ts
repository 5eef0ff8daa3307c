/** Formats numbers, times and limits as text for reports, guarantees and counterexamples. */

const oftenUsed: Readonly<Record<number, string>> = { 3600: 'an hour', 86400: 'a day', 604800: 'a week' }

/** Formats 1234567 as `1,234,567`. */
export function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 })
}

/** Formats seconds: `10 s`, `an hour`, `a day`. */
export function span(seconds: number): string {
  return oftenUsed[seconds] ?? `${number(seconds)} s`
}

/** `1 request`, `5 requests`. */
export function requests(count: number): string {
  return `${number(count)} ${count === 1 ? 'request' : 'requests'}`
}

/** Formats a limit: `5 requests in 10 s`; without a period: `5 requests, once and for all`. */
export function limitWords(count: number, seconds: number): string {
  if (seconds <= 0) return `${requests(count)}, once and for all`
  return oftenUsed[seconds] === undefined
    ? `${requests(count)} in ${span(seconds)}`
    : `${requests(count)} ${oftenUsed[seconds]}`
}

/** `"a"`, `"a" and "b"`, `"a", "b" and "c"`. */
export function quoted(names: readonly string[]): string {
  const all = names.map((name) => `"${name}"`)
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}
