/** Times in scenarios: a number of milliseconds, or a text like `10s`, `250ms`, `2m`, `1h`. */
import { type JsonPath, type Problem, type Shape, wrongType } from '@turnpike/core'

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Parses to whole milliseconds. */
export const duration: Shape<number> = {
  zero: () => 0,
  read(value: unknown, path: JsonPath, problems: Problem[]) {
    if (value === undefined || value === null) return 0
    const ms = typeof value === 'number' ? value : typeof value === 'string' ? parse(value) : Number.NaN
    if (Number.isFinite(ms)) return Math.round(ms)
    wrongType('a time: a number of milliseconds, or a text like 10s, 250ms or 2m', value, path, problems)
    return 0
  },
  write: (value) => value,
  isZero: (value) => value === 0,
  writeSparse: (value) => value,
  schema: { type: ['number', 'string'], description: 'Milliseconds, or a text like 10s, 250ms, 2m, 1h.' },
}

function parse(text: string): number {
  const [, sign = '', number, unit = ''] = /^(-?)(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim()) ?? []
  return number === undefined ? Number.NaN : (sign === '-' ? -1 : 1) * Number(number) * (unitMs[unit] ?? 1)
}
