/** Durations as extensions write them: `1h2m3s`, `1.5s`, `200ms`. Source: spec/oas-and-mcp.md 1.2. */
const secondsOf: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 }

/** Seconds of a duration text, or a number of seconds as it is; `undefined`: it is neither. */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || !/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/.test(value)) return undefined
  let seconds = 0
  for (const [, amount, unit] of value.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)) {
    seconds += Number(amount) * (secondsOf[unit as string] ?? 0)
  }
  return seconds
}
