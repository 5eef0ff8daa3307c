/**
 * Bar charts as SVG text for self-contained pages. Every bar has a text label, so that no information depends on colour
 * alone.
 */
import { escapeHtml } from '@turnpike/core/lib'
import { brief } from './comparison-lines.ts'
import type { Metric } from './metric.ts'

export interface Bar {
  readonly label: string
  readonly metric: Pick<Metric, 'median' | 'low' | 'high'>
}

export const chartWidth = 900
export const rowHeight = 26
const minLabelWidth = 240
const maxLabelWidth = 480
const noteWidth = 150
/** Mean width of a character of the labels. */
const characterWidth = 6.4
const gap = 8

/** Puts a wide element into a region that scrolls, also with the keyboard. */
export function frame(label: string, content: string): string {
  return `<div class="wide" role="region" tabindex="0" aria-label="${escapeHtml(label)}">${content}</div>`
}

/** Horizontal bars that start at zero, each with its quartiles. */
export function barChart(description: string, bars: readonly Bar[], unit: string): string {
  const most = Math.max(...bars.map(({ metric }) => metric.high), Number.MIN_VALUE)
  const labelWidth = widthFor(bars.map(({ label }) => label))
  const room = chartWidth - labelWidth - noteWidth
  const at = (value: number) => labelWidth + (Math.max(0, value) / most) * room
  const rows = bars.map(({ label, metric: { median, low, high } }, i) => {
    const y = i * rowHeight
    return `${text(labelWidth - gap, y, shortened(label), 'end')}
<rect class="bar" x="${labelWidth}" y="${y + 5}" width="${number(at(median) - labelWidth)}" height="16" rx="2"/>
<line class="spread" x1="${number(at(low))}" x2="${number(at(high))}" y1="${y + 13}" y2="${y + 13}"/>
${text(chartWidth - noteWidth + 8, y, `${brief(median)} ${unit}`, 'start')}`
  })
  return chartRows(description, rows)
}

/** An `svg` element with rows of the same height, one below the other. */
export function chartRows(description: string, rows: readonly string[]): string {
  return `<svg viewBox="0 0 ${chartWidth} ${Math.max(1, rows.length) * rowHeight}" role="img" aria-label="${escapeHtml(description)}">${rows.join('\n')}</svg>`
}

function text(x: number, y: number, words: string, anchor: 'start' | 'end'): string {
  return `<text x="${x}" y="${y + 17}" text-anchor="${anchor}">${escapeHtml(words)}</text>`
}

/** As wide as the longest label, within limits. */
function widthFor(labels: readonly string[]): number {
  const longest = labels.reduce((most, { length }) => Math.max(most, length), 0)
  return Math.min(maxLabelWidth, Math.max(minLabelWidth, longest * characterWidth + gap))
}

/** Labels of tables are whole; a chart has no room for the longest ones. */
function shortened(label: string): string {
  const room = Math.floor((maxLabelWidth - gap) / characterWidth)
  return label.length <= room ? label : `${label.slice(0, room - 1)}…`
}

const number = (value: number) => value.toFixed(1)
