/**
 * Draws the shortest trace as a chart. Each key has a row and each instant a column of dots: filled dots are allowed
 * requests, hollow dots are rejected requests, and the red dot violates the guarantee.
 */

import { escapeHtml } from '@turnpike/core'
import type { Broken } from '../search.ts'
import { type TimelineEntry, timelineOf } from '../timeline.ts'
import { spanWords } from '../violation.ts'
import { number } from '../words.ts'

const width = 900
const left = 60
const right = 24
const rowHeight = 110

/** Maximum number of dots in a column; a number shows how many more there are. */
const maxDots = 8

export function chart({ moments, violation }: Broken): string {
  const entries = timelineOf(moments)
  const requests = entries.filter(({ count }) => count > 0)
  const keys = [...new Set(requests.map(({ key }) => key))].sort()
  const times = entries.map(({ at }) => at)
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const x = (at: number) => left + ((at - from) / Math.max(1, to - from)) * (width - left - right)
  const floor = (key: string) => (keys.indexOf(key) + 1) * rowHeight
  const height = keys.length * rowHeight + 44
  const rows = keys.map(
    (key) =>
      `<line x1="${left}" x2="${width - right}" y1="${floor(key)}" y2="${floor(key)}" stroke="var(--line)"/><text x="8" y="${floor(key)}">key ${escapeHtml(key)}</text>`,
  )
  const events = entries
    .filter(({ count }) => count === 0)
    .map(({ at, text }) => {
      const place = x(at).toFixed(1)
      return `<line x1="${place}" x2="${place}" y1="10" y2="${height - 34}" stroke="var(--limit)" stroke-dasharray="4 4"><title>${escapeHtml(text)}</title></line>`
    })
  const ends = [from, ...(to > from ? [to] : [])].map(
    (at, i) =>
      `<text x="${x(at).toFixed(1)}" y="${height - 12}" text-anchor="${i === 0 ? 'start' : 'end'}">${escapeHtml(spanWords(at))}</text>`,
  )
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(violation.sentence)}">
${[...rows, ...events, ...stacks(requests, x, floor), ...ends].join('\n')}
</svg>`
}

function stacks(
  requests: readonly TimelineEntry[],
  x: (at: number) => number,
  floor: (key: string) => number,
): string[] {
  const heights = new Map<string, number>()
  return requests.flatMap(({ at, key, text, count, passed, wrong }) => {
    const place = `${key} ${at}`
    const base = heights.get(place) ?? 0
    const dots = Math.min(count, Math.max(1, maxDots - base))
    heights.set(place, base + dots)
    const colour = wrong ? 'var(--wrong)' : passed ? 'var(--pass)' : 'var(--refuse)'
    const circles = Array.from({ length: dots }, (_, i) => {
      const y = floor(key) - 8 - (base + i) * 11
      return `<circle cx="${x(at).toFixed(1)}" cy="${y}" r="4.5" fill="${passed ? colour : 'none'}" stroke="${colour}" stroke-width="1.5"><title>${escapeHtml(`${spanWords(at)}: ${text}`)}</title></circle>`
    })
    if (count <= dots) return circles
    const y = floor(key) - 4 - (base + dots - 1) * 11
    return [...circles, `<text x="${(x(at) + 8).toFixed(1)}" y="${y}">× ${number(count)}</text>`]
  })
}
