/** Flame charts as SVG text for self-contained pages. */
import { escapeHtml } from '@turnpike/core/lib'
import { chartRows, frame, rowHeight, chartWidth as width } from '../measurement/bar-chart.ts'
import { brief } from '../measurement/comparison-lines.ts'
import type { StageCost } from './bench-report.ts'

interface Segment {
  readonly name: string
  readonly value: number
}

/**
 * The stages of a request as a flame chart, from top to bottom: the request, its phases, its stages. The width of a
 * segment is its share of the sum of all stages.
 */
export function flameChart(title: string, stages: readonly StageCost[]): string {
  const phases: { name: string; value: number }[] = []
  for (const { phase, cost } of stages) {
    const last = phases.at(-1)
    if (last?.name === phase) last.value += cost.median
    else phases.push({ name: phase, value: cost.median })
  }
  const levels: readonly (readonly Segment[])[] = [
    [{ name: title, value: phases.reduce((sum, { value }) => sum + value, 0) }],
    phases,
    stages.map(({ stage, cost }) => ({ name: stage, value: cost.median })),
  ]
  const slowest = stages.toSorted((a, b) => b.cost.median - a.cost.median).slice(0, 3)
  const description = `${title}; slowest stages: ${slowest.map(({ stage, cost }) => `${stage} ${brief(cost.median)} µs`).join(', ')}`
  return frame(title, chartRows(description, levels.map(level)))
}

function level(segments: readonly Segment[], depth: number): string {
  const sum = Math.max(
    segments.reduce((total, { value }) => total + value, 0),
    Number.MIN_VALUE,
  )
  let left = 0
  const boxes = segments.map(({ name, value }, i) => {
    const wide = (value / sum) * width
    const x = left
    left += wide
    const title = `<title>${escapeHtml(name)}: ${brief(value)} µs, ${Math.round((value / sum) * 100)} %</title>`
    const box = `<rect x="${number(x)}" y="${depth * rowHeight + 1}" width="${number(Math.max(0, wide - 1))}" height="${rowHeight - 2}" fill="${colour(depth, i)}">${title}</rect>`
    const label = `${name} ${depth === 0 ? '' : brief(value)}`.trim()
    const fits = wide > label.length * 6.6 + 8
    return fits ? `${box}<text x="${number(x + 4)}" y="${depth * rowHeight + 17}">${escapeHtml(label)}</text>` : box
  })
  return `<g class="stage">${boxes.join('')}</g>`
}

/** Neighbours have clearly different hues; all are light enough for dark text. */
function colour(depth: number, i: number): string {
  return depth === 0 ? 'hsl(215 25% 82%)' : `hsl(${Math.round((depth * 40 + i * 137.5) % 360)} 55% 74%)`
}

const number = (value: number) => value.toFixed(1)
