/** A result of `npm run bench` as one HTML page: a bar chart for each part and unit, and the table of its rows. */
import { escapeHtml } from '@turnpike/core/lib'
import {
  type Bar,
  barChart,
  type Comparison,
  comparisonPart,
  frame,
  loadWarning,
  machineLine,
  metricOf,
  reportPage,
  table,
} from '@turnpike/dev/measurement'
import type { BenchResult, PartRow } from './bench-result.ts'

export function resultPage({ at, quick, machine, rows }: BenchResult, comparison: Comparison | undefined): string {
  const busy = loadWarning(machine)
  const parts = [...new Set(rows.map(({ part }) => part))]
  return reportPage('npm run bench', [
    '<h1>npm run bench</h1>',
    `<p class="facts">${escapeHtml(`${at}, ${machineLine(machine)}, ${machine.nginx}${quick ? ', --quick' : ''}`)}</p>`,
    ...(busy === undefined ? [] : [`<p>${escapeHtml(busy)}.</p>`]),
    ...(comparison === undefined ? [] : comparisonPart(comparison)),
    ...parts.flatMap((part) =>
      partOf(
        part,
        rows.filter((row) => row.part === part),
      ),
    ),
  ])
}

function partOf(part: string, rows: readonly PartRow[]): string[] {
  const units = [...new Set(rows.flatMap(({ unit, rounds }) => (rounds === undefined ? [] : [unit ?? ''])))]
  return [
    `<h2>${escapeHtml(part)}</h2>`,
    ...units.map((unit) =>
      frame(`${part}, ${unit}`, barChart(`${part}, medians in ${unit}`, barsOf(rows, unit), unit)),
    ),
    table(
      part,
      ['what', 'measured', 'budget', 'verdict', 'note'],
      rows.map(({ name, measured, budget, verdict, note }) => [name.trim(), measured, budget, verdict, note]),
    ),
  ]
}

function barsOf(rows: readonly PartRow[], wanted: string): Bar[] {
  return rows.flatMap(({ name, unit, rounds }) =>
    rounds === undefined || unit !== wanted ? [] : [{ label: name.trim(), metric: metricOf(rounds) }],
  )
}
