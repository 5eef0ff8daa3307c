/**
 * A chart of a run: a row for each node with a column for each span of time, admitted requests at the bottom, then
 * rejected, failed and unanswered ones. Dashed lines mark faults and changes.
 */
import { clusterEvents, type History, type Outcomes, outcomesOf, type Plan } from '@turnpike/cluster-sim'
import { escapeHtml } from '@turnpike/core/lib'
import { outcomeWords } from '../sim-lines.ts'

const width = 900
const left = 80
const right = 16
const rowHeight = 70
const barHeight = 54
const columnsOfChart = 60

/** Colours of the parts of a column, from the bottom. */
const parts: readonly { readonly colour: string; readonly count: (one: Outcomes) => number }[] = [
  { colour: 'var(--pass)', count: ({ admitted }) => admitted },
  { colour: 'var(--reject)', count: ({ rejected }) => rejected },
  { colour: 'var(--limit)', count: ({ unavailable }) => unavailable },
  { colour: 'var(--wrong)', count: ({ failed, silent }) => failed + silent },
]

export function clusterChart({ nodes }: Pick<Plan, 'nodes'>, history: History): string {
  const spanMs = Math.max(1, history.endedAt / columnsOfChart)
  const x = (at: number) =>
    left + (Math.min(at, history.endedAt) / Math.max(1, history.endedAt)) * (width - left - right)
  const cells = nodes.map((node) => {
    const spans = Array.from({ length: columnsOfChart }, (): History['exchanges'][number][] => [])
    for (const one of history.exchanges) {
      if (one.node === node) spans[Math.min(columnsOfChart - 1, Math.floor(one.startedAt / spanMs))]?.push(one)
    }
    return spans.map(outcomesOf)
  })
  const most = Math.max(1, ...cells.flat().map(({ requests }) => requests))
  const height = nodes.length * rowHeight + 30
  const rows = nodes.map((node, row) => {
    const floor = (row + 1) * rowHeight
    const bars = (cells[row] ?? []).map((outcomes, i) =>
      column(outcomes, x(i * spanMs), x((i + 1) * spanMs), floor, most, i * spanMs),
    )
    const line = `<line x1="${left}" x2="${width - right}" y1="${floor}" y2="${floor}" stroke="var(--line)"/>`
    return `${line}<text x="4" y="${floor - 4}">${escapeHtml(node)}</text>${bars.join('')}`
  })
  const events = clusterEvents(history).map(({ at, text }) => {
    const place = x(at).toFixed(1)
    return `<line x1="${place}" x2="${place}" y1="6" y2="${height - 24}" stroke="var(--limit)" stroke-dasharray="3 4"><title>${at} ms: ${escapeHtml(text)}</title></line>`
  })
  const ends = `<text x="${left}" y="${height - 8}">0 s</text><text x="${width - right}" y="${height - 8}" text-anchor="end">${(history.endedAt / 1000).toFixed(1)} s</text>`
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Requests of each node over time">
${[...rows, ...events, ends].join('\n')}
</svg>`
}

function column(outcomes: Outcomes, from: number, to: number, floor: number, most: number, at: number): string {
  if (outcomes.requests === 0) return ''
  let y = floor
  const boxes = parts.map(({ colour, count }) => {
    const high = (count(outcomes) / most) * barHeight
    y -= high
    return high === 0
      ? ''
      : `<rect x="${from.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(1, to - from - 1).toFixed(1)}" height="${high.toFixed(1)}" fill="${colour}"/>`
  })
  return `<g>${boxes.join('')}<title>${Math.round(at)} ms: ${escapeHtml(outcomeWords(outcomes))}</title></g>`
}
