/**
 * Durations as extensions write them: `1h2m3s`, `1.5s`, `200ms`. Source:
 * docs/reference/openapi-extension.md#openapi-extension.
 */
const secondsOf: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 }

/** Returns the seconds of a duration text. A number is returned unchanged; any other value gives `undefined`. */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || !/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/.test(value)) return undefined
  let seconds = 0
  for (const [, amount, unit] of value.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)) {
    seconds += Number(amount) * (secondsOf[unit as string] ?? 0)
  }
  return seconds
}
