/**
 * Draws requests over time. Each row of the chart is a caller and each instant a column of dots: filled dots are admitted
 * requests, hollow dots are rejected requests, and red ones are wrong.
 */
import { escapeMarkup } from '../escape-markup.ts'

/** Equal requests of one instant, or with `count` 0 something else that happened. */
export interface ChartEntry {
  /** Milliseconds. */
  readonly at: number
  readonly row: string
  /** Shown when the pointer is on a dot. */
  readonly text: string
  readonly count: number
  readonly admitted: boolean
  readonly wrong: boolean
}

export interface DotChart {
  /** What the chart shows, for readers who do not see it. */
  readonly label: string
  readonly entries: readonly ChartEntry[]
  /** Formats an instant. */
  timeOf(at: number): string
}

const width = 900
const left = 60
const right = 24
const rowHeight = 110

/** Maximum number of dots in a column; a number shows how many more there are. */
const maxDots = 8

/** Returns an SVG element, which uses the colours of `pageStyle`. */
export function dotChart({ label, entries, timeOf }: DotChart): string {
  const requests = entries.filter(({ count }) => count > 0)
  const rows = [...new Set(requests.map(({ row }) => row))].sort()
  const times = entries.map(({ at }) => at)
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const x = (at: number) => left + ((at - from) / Math.max(1, to - from)) * (width - left - right)
  const floor = (row: string) => (rows.indexOf(row) + 1) * rowHeight
  const height = rows.length * rowHeight + 44
  const lines = rows.map(
    (row) =>
      `<line x1="${left}" x2="${width - right}" y1="${floor(row)}" y2="${floor(row)}" stroke="var(--line)"/><text x="8" y="${floor(row)}">${escapeMarkup(row)}</text>`,
  )
  const events = entries
    .filter(({ count }) => count === 0)
    .map(({ at, text }) => {
      const place = x(at).toFixed(1)
      return `<line x1="${place}" x2="${place}" y1="10" y2="${height - 34}" stroke="var(--limit)" stroke-dasharray="4 4"><title>${escapeMarkup(text)}</title></line>`
    })
  const ends = [from, ...(to > from ? [to] : [])].map(
    (at, i) =>
      `<text x="${x(at).toFixed(1)}" y="${height - 12}" text-anchor="${i === 0 ? 'start' : 'end'}">${escapeMarkup(timeOf(at))}</text>`,
  )
  const dots = stacks(requests, x, floor, timeOf)
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeMarkup(label)}">
${[...lines, ...events, ...dots, ...ends].join('\n')}
</svg>`
}

function stacks(
  requests: readonly ChartEntry[],
  x: (at: number) => number,
  floor: (row: string) => number,
  timeOf: (at: number) => string,
): string[] {
  const heights = new Map<string, number>()
  return requests.flatMap(({ at, row, text, count, admitted, wrong }) => {
    const place = `${row} ${at}`
    const base = heights.get(place) ?? 0
    const dots = Math.min(count, Math.max(1, maxDots - base))
    heights.set(place, base + dots)
    const colour = wrong ? 'var(--wrong)' : admitted ? 'var(--pass)' : 'var(--reject)'
    const circles = Array.from({ length: dots }, (_, i) => {
      const y = floor(row) - 8 - (base + i) * 11
      return `<circle cx="${x(at).toFixed(1)}" cy="${y}" r="4.5" fill="${admitted ? colour : 'none'}" stroke="${colour}" stroke-width="1.5"><title>${escapeMarkup(`${timeOf(at)}: ${text}`)}</title></circle>`
    })
    if (count <= dots) return circles
    const y = floor(row) - 4 - (base + dots - 1) * 11
    return [...circles, `<text x="${(x(at) + 8).toFixed(1)}" y="${y}">× ${count.toLocaleString('en')}</text>`]
  })
}
