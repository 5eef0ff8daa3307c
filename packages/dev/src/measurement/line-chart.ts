/**
 * Line charts as SVG text, for pages without scripts. Each line has its label at its end and a dash pattern, so that no
 * information depends on colour alone.
 */
import { escapeMarkup } from '@turnpike/reports'

export interface LineChart {
  /** What the chart shows, for readers who do not see it. */
  readonly description: string
  readonly x: Axis
  readonly y: Axis
  readonly lines: readonly ChartLine[]
}

export interface Axis {
  readonly label: string
  readonly scale: 'linear' | 'log'
  /** Values with a grid line; default: round values. */
  readonly ticks?: readonly { readonly at: number; readonly label: string }[]
}

export interface ChartLine {
  readonly label: string
  readonly points: readonly (readonly [x: number, y: number])[]
  /** Lines of one group have one colour, for example a measurement and its theoretical limit. From 0 to 5. */
  readonly group: number
  /** True for a calculated line. */
  readonly dashed?: boolean
}

interface Range {
  readonly from: number
  readonly to: number
}

const width = 900
const height = 380
const left = 74
const right = 210
const top = 14
const bottom = 48
const labelHeight = 16
const groups = 6

/** Returns an `svg` element. Points of a logarithmic axis must be above 0; others are left out. */
export function lineChart({ description, x, y, lines }: LineChart): string {
  const drawn = lines.map((line) => ({
    ...line,
    points: line.points.filter(([px, py]) => fits(px, x) && fits(py, y)),
  }))
  const xs = rangeOf(
    drawn.flatMap(({ points }) => points.map(([value]) => value)),
    x,
  )
  const ys = rangeOf(
    drawn.flatMap(({ points }) => points.map(([, value]) => value)),
    y,
  )
  const toX = (value: number) => left + share(value, xs, x) * (width - left - right)
  const toY = (value: number) => height - bottom - share(value, ys, y) * (height - top - bottom)
  const body = [
    ...ticksOf(x, xs).map(({ at, label }) => xTick(toX(at), label)),
    ...ticksOf(y, ys).map(({ at, label }) => yTick(toY(at), label)),
    `<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">${escapeMarkup(x.label)}</text>`,
    `<text x="14" y="${(top + height - bottom) / 2}" text-anchor="middle" transform="rotate(-90 14 ${(top + height - bottom) / 2})">${escapeMarkup(y.label)}</text>`,
    ...drawn.map((line) => path(line, toX, toY)),
    ...labels(drawn, toX, toY),
  ]
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeMarkup(description)}">\n${body.join('\n')}\n</svg>`
}

/** Style rules for charts. Colours have a contrast of at least 4.5:1 to the background in both modes. */
export const chartStyle = `
svg { --c0: #1f5fa8; --c1: #a2450c; --c2: #1c6b3c; --c3: #7b3fa0; --c4: #6b5a00; --c5: #a8244f; --ink: #1c2430; --grid: #d8dee6; }
@media (prefers-color-scheme: dark) {
  svg { --c0: #7fb2f0; --c1: #f0a06a; --c2: #6fcf97; --c3: #c79be8; --c4: #d9c560; --c5: #f28db0; --ink: #e4e9f0; --grid: #2d3846; }
}
svg { font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg .grid { stroke: var(--grid); }
svg .line { fill: none; stroke-width: 2; }
svg .dashed { stroke-dasharray: 5 4; stroke-width: 1.5; }
${Array.from({ length: groups }, (_, i) => `svg .s${i} { stroke: var(--c${i}); } svg .f${i} { fill: var(--c${i}); }`).join('\n')}
`

/** A chart as a file of its own, with its style and a background that follows the mode of the reader. */
export function chartFile(chart: LineChart): string {
  const style = `<style>${chartStyle}svg { background: #fff; }\n@media (prefers-color-scheme: dark) { svg { background: #141a22; } }</style>`
  return `${lineChart(chart).replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ').replace('>\n', `>\n${style}\n`)}\n`
}

const fits = (value: number, { scale }: Axis) => Number.isFinite(value) && (scale === 'linear' || value > 0)

/** Linear axes begin at 0 or below; logarithmic ones at a power of ten. */
function rangeOf(values: readonly number[], { scale }: Axis): Range {
  if (values.length === 0) return { from: scale === 'log' ? 1 : 0, to: 10 }
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
  if (scale === 'linear') return { from: Math.min(0, least), to: most > Math.min(0, least) ? most : least + 1 }
  const from = 10 ** Math.floor(Math.log10(least))
  return { from, to: most > from ? most : from * 10 }
}

function share(value: number, { from, to }: Range, { scale }: Axis): number {
  if (scale === 'linear') return (value - from) / (to - from)
  return Math.log(value / from) / Math.log(to / from)
}

function ticksOf(axis: Axis, range: Range): readonly { readonly at: number; readonly label: string }[] {
  const inside = ({ at }: { at: number }) => at >= range.from * (1 - 1e-9) && at <= range.to * (1 + 1e-9)
  if (axis.ticks !== undefined) return axis.ticks.filter(inside)
  const values = axis.scale === 'log' ? powersOfTen(range) : roundSteps(range)
  return values.map((at) => ({ at, label: shortNumber(at) }))
}

function powersOfTen({ from, to }: Range): number[] {
  const first = Math.round(Math.log10(from))
  return Array.from({ length: Math.floor(Math.log10(to) + 1e-9) - first + 1 }, (_, i) => 10 ** (first + i))
}

function roundSteps({ from, to }: Range): number[] {
  const rough = (to - from) / 6
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.floor(to / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step)
}

const shortNumber = (value: number) => Number(value.toPrecision(3)).toLocaleString('en')

const xTick = (x: number, label: string) =>
  `<line class="grid" x1="${brief(x)}" x2="${brief(x)}" y1="${top}" y2="${height - bottom}"/><text x="${brief(x)}" y="${height - bottom + 17}" text-anchor="middle">${escapeMarkup(label)}</text>`

const yTick = (y: number, label: string) =>
  `<line class="grid" x1="${left}" x2="${width - right}" y1="${brief(y)}" y2="${brief(y)}"/><text x="${left - 8}" y="${brief(y + 4)}" text-anchor="end">${escapeMarkup(label)}</text>`

function path({ points, group, dashed }: ChartLine, toX: (x: number) => number, toY: (y: number) => number): string {
  if (points.length === 0) return ''
  const steps = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${brief(toX(x))} ${brief(toY(y))}`)
  const dots = dashed || points.length > maxDots ? [] : points.map(([x, y]) => dot(toX(x), toY(y), group))
  return `<path class="line s${group % groups}${dashed ? ' dashed' : ''}" d="${steps.join(' ')}"/>${dots.join('')}`
}

/** Lines with more points are drawn without dots. */
const maxDots = 40
const dot = (x: number, y: number, group: number) =>
  `<circle class="f${group % groups}" cx="${brief(x)}" cy="${brief(y)}" r="3"/>`

/** Labels at the right edge, moved apart where lines end close together. */
function labels(lines: readonly ChartLine[], toX: (x: number) => number, toY: (y: number) => number): string[] {
  const ends = lines
    .flatMap((line) => {
      const last = line.points.at(-1)
      return last === undefined ? [] : [{ line, x: toX(last[0]), y: toY(last[1]) }]
    })
    .toSorted((a, b) => a.y - b.y)
  let free = top + 4
  const placed = ends.map((end) => {
    const y = Math.max(free, end.y)
    free = y + labelHeight
    return { ...end, labelY: y }
  })
  // Labels that were pushed below the chart move up together.
  const tooLow = Math.max(0, free - labelHeight - (height - bottom))
  const x = width - right + 12
  return placed.map(
    ({ line, labelY }) =>
      `<line class="line s${line.group % groups}${line.dashed ? ' dashed' : ''}" x1="${x}" x2="${x + 18}" y1="${brief(labelY - tooLow)}" y2="${brief(labelY - tooLow)}"/><text x="${x + 24}" y="${brief(labelY - tooLow + 4)}">${escapeMarkup(line.label)}</text>`,
  )
}

const brief = (value: number) => value.toFixed(1)
