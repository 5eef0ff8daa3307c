/**
 * What the HTML reports of benchmarks share: the page, tables, and the part about an earlier result. Pages have no scripts
 * or external resources and follow the light or dark mode of the reader's system.
 */
import { escapeHtml } from '@turnpike/core/lib'
import { htmlPage, htmlTable } from '@turnpike/reports'
import { frame } from './bar-chart.ts'
import type { Comparison } from './compare-values.ts'
import { formatInterval, formatValues } from './comparison-lines.ts'
import { chartStyle } from './line-chart.ts'

/** `parts`: HTML. */
export function reportPage(title: string, parts: readonly string[]): string {
  return htmlPage({ title, style, body: parts.join('\n') })
}

/** The verdicts on an earlier result, in HTML. */
export function comparisonPart({ changes, pace, machines }: Comparison): string[] {
  const rows = changes.map((change) => [change.verdict, change.name, formatValues(change), formatInterval(change)])
  return [
    '<h2>Against the earlier result</h2>',
    `<p>This machine needs ${pace.toFixed(2)} times as long for the calibration workload; earlier values are scaled by it. Ratios have their 95 % interval.</p>`,
    ...machines.map((text) => `<p>Another machine or program: ${escapeHtml(text)}.</p>`),
    table('Comparison with the earlier result', ['verdict', 'metric', 'before and now', 'ratio'], rows),
  ]
}

/** A table of texts in a region that scrolls. */
export function table(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  return frame(caption, htmlTable(head, rows))
}

const style = `
:root { --ink: #1c2430; --soft: #55606f; --paper: #fff; --line: #d8dee6; --bar: #3567b0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e9f0; --soft: #9aa7b8; --paper: #141a22; --line: #2d3846; --bar: #6b9be0; }
}
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1, h2 { line-height: 1.2; }
.facts { color: var(--soft); }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 0.2rem 0.6rem 0.2rem 0; border-bottom: 1px solid var(--line); }
${chartStyle}
svg { width: 100%; min-width: 40rem; height: auto; }
svg .bar { fill: var(--bar); }
svg .spread { stroke: var(--ink); stroke-width: 1.5; }
svg .stage text { fill: #10151c; }
`
