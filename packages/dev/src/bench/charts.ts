/**
 * Bar charts as SVG text for self-contained pages. Every bar has a text label, so that no information depends on
 * colour alone.
 */
import { escapeHtml } from '@turnpike/core'
import { brief } from './bench-lines.ts'
import type { Metric } from './metric.ts'

export interface Bar {
  readonly label: string
  readonly metric: Metric
}

export interface Stack {
  readonly label: string
  readonly note: string
  readonly parts: readonly { readonly name: string; readonly value: number }[]
}

const width = 900
const labelWidth = 240
const noteWidth = 150
const rowHeight = 26
const room = width - labelWidth - noteWidth

/** Horizontal bars that start at zero, each with its quartiles. */
export function barChart(bars: readonly Bar[], unit: string): string {
  const most = Math.max(...bars.map(({ metric }) => metric.high), Number.MIN_VALUE)
  const at = (value: number) => labelWidth + (Math.max(0, value) / most) * room
  const rows = bars.map(({ label, metric: { median, low, high } }, i) => {
    const y = i * rowHeight
    return `${text(labelWidth - 8, y, label, 'end')}
<rect class="bar" x="${labelWidth}" y="${y + 5}" width="${number(at(median) - labelWidth)}" height="16" rx="2"/>
<line class="spread" x1="${number(at(low))}" x2="${number(at(high))}" y1="${y + 13}" y2="${y + 13}"/>
${text(width - noteWidth + 8, y, `${brief(median)} ${unit}`, 'start')}`
  })
  return svg(rows, bars.length)
}

/** Horizontal stacked bars. Each segment has a title, and a label if it is wide enough. */
export function stackChart(stacks: readonly Stack[]): string {
  const sumOf = ({ parts }: Stack) => parts.reduce((sum, { value }) => sum + value, 0)
  const most = Math.max(...stacks.map(sumOf), Number.MIN_VALUE)
  const hues = hueOfName(stacks)
  const rows = stacks.map((stack, i) => {
    const y = i * rowHeight
    let x = labelWidth
    const parts = stack.parts.map(({ name, value }) => {
      const wide = (value / most) * room
      const left = x
      x += wide
      const title = `<title>${escapeHtml(name)}: ${brief(value)} µs</title>`
      const box = `<rect x="${number(left)}" y="${y + 4}" width="${number(wide)}" height="18" fill="hsl(${hues.get(name) ?? 0} 55% 62%)">${title}</rect>`
      const fits = wide > name.length * 6.5 + 6
      const word = `<text x="${number(left + 4)}" y="${y + 17}" style="fill:#10151c;pointer-events:none">${escapeHtml(name)}</text>`
      return fits ? box + word : box
    })
    return (
      text(labelWidth - 8, y, stack.label, 'end') + parts.join('') + text(width - noteWidth + 8, y, stack.note, 'start')
    )
  })
  return svg(rows, stacks.length)
}

/** A stage has the same colour in all bars; neighbouring stages have clearly different hues. */
function hueOfName(stacks: readonly Stack[]): Map<string, number> {
  const names = [...new Set(stacks.flatMap(({ parts }) => parts.map(({ name }) => name)))]
  return new Map(names.map((name, i) => [name, Math.round((i * 137.5) % 360)]))
}

function svg(rows: readonly string[], count: number): string {
  return `<div class="wide"><svg viewBox="0 0 ${width} ${Math.max(1, count) * rowHeight}" role="img">${rows.join('\n')}</svg></div>`
}

function text(x: number, y: number, words: string, anchor: 'start' | 'end'): string {
  return `<text x="${x}" y="${y + 17}" text-anchor="${anchor}">${escapeHtml(words)}</text>`
}

const number = (value: number) => value.toFixed(1)
