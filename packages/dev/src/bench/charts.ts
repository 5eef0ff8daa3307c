/**
 * Bar and flame charts as SVG text for self-contained pages. Every bar has a text label, so that no information depends
 * on colour alone.
 */
import { escapeHtml } from '@turnpike/core'
import { brief } from './bench-lines.ts'
import type { StageCost } from './bench-report.ts'
import type { Metric } from './metric.ts'

export interface Bar {
  readonly label: string
  readonly metric: Metric
}

const width = 900
const labelWidth = 240
const noteWidth = 150
const rowHeight = 26
const room = width - labelWidth - noteWidth

/** Puts a wide element into a region that scrolls, also with the keyboard. */
export function frame(label: string, content: string): string {
  return `<div class="wide" role="region" tabindex="0" aria-label="${escapeHtml(label)}">${content}</div>`
}

/** Horizontal bars that start at zero, each with its quartiles. */
export function barChart(description: string, bars: readonly Bar[], unit: string): string {
  const most = Math.max(...bars.map(({ metric }) => metric.high), Number.MIN_VALUE)
  const at = (value: number) => labelWidth + (Math.max(0, value) / most) * room
  const rows = bars.map(({ label, metric: { median, low, high } }, i) => {
    const y = i * rowHeight
    return `${text(labelWidth - 8, y, label, 'end')}
<rect class="bar" x="${labelWidth}" y="${y + 5}" width="${number(at(median) - labelWidth)}" height="16" rx="2"/>
<line class="spread" x1="${number(at(low))}" x2="${number(at(high))}" y1="${y + 13}" y2="${y + 13}"/>
${text(width - noteWidth + 8, y, `${brief(median)} ${unit}`, 'start')}`
  })
  return svg(description, rows, bars.length)
}

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
  return frame(title, svg(description, levels.map(level), levels.length))
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

function svg(description: string, rows: readonly string[], count: number): string {
  return `<svg viewBox="0 0 ${width} ${Math.max(1, count) * rowHeight}" role="img" aria-label="${escapeHtml(description)}">${rows.join('\n')}</svg>`
}

function text(x: number, y: number, words: string, anchor: 'start' | 'end'): string {
  return `<text x="${x}" y="${y + 17}" text-anchor="${anchor}">${escapeHtml(words)}</text>`
}

const number = (value: number) => value.toFixed(1)
