/** Formats the report for a terminal. */
import { count } from 'turnpike/embedding'
import { coverageCells, isExercised } from './coverage.ts'
import type { FilePosition } from './field-positions.ts'
import { requests as countOf, number } from './format-text.ts'
import { limiterWords } from './guarantees.ts'
import { verifiedProperties } from './property-filter.ts'
import { timelineLines } from './trace-timeline.ts'
import { outcomeOf, type VerifyReport } from './verify-gateway.ts'

/**
 * `again` is the command line that reproduces a broken guarantee, without its seed. `nameOf` shortens the name of a file;
 * default: absolute names.
 */
export function verifyLines(
  report: VerifyReport,
  again: string,
  nameOf: (file: string) => string = (file) => file,
): string[] {
  return [
    ...guaranteeLines(report),
    ...warningLines(report, nameOf),
    ...violationLines(report, again, nameOf),
    '',
    summaryLine(report),
  ]
}

/** `apps/orders.json:3:5`. */
function placeWords({ file, line, column }: FilePosition, nameOf: (file: string) => string): string {
  return `${nameOf(file)}:${line}:${column}`
}

function guaranteeLines({ guarantees, untried, limiter, apis }: VerifyReport): string[] {
  const lines = ['What these files guarantee, and how close the traces came to each limit:']
  const rows = guarantees.map(({ coverage }) => coverageCells(coverage))
  const titles = ['closest', 'rejected', 'traces']
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((cells) => cells[i]?.length ?? 0)))
  const rowOf = (cells: readonly string[]) => cells.map((cell, i) => cell.padStart(widths[i] ?? 0)).join('  ')
  const indent = ' '.repeat(widths.reduce((sum, width) => sum + width + 2, 2))
  if (guarantees.length > 0) lines.push(`  ${rowOf(titles)}  guarantee`)
  for (const [i, { words, note, coverage }] of guarantees.entries()) {
    lines.push(`  ${rowOf(rows[i] ?? [])}  ${words}`)
    if (!isExercised(coverage)) lines.push(`${indent}never exercised: no trace reached this limit`)
    if (note !== undefined) lines.push(`${indent}${note}`)
  }
  if (guarantees.length === 0)
    lines.push('  nothing: no policy, key, organisation or API has a limit that can be tried')
  else lines.push(`  Rates are counted by the limiter "${limiter}": ${limiterWords[limiter]}.`)
  if (apis === 0) return [...lines, '', 'No API is served: the folder of definitions has no active definition.']
  if (untried.length === 0) return lines
  return [...lines, '', 'Read, but not tried:', ...untried.map(({ what, why }) => `  ${what}: ${why}`)]
}

function warningLines({ warnings, notes }: VerifyReport, nameOf: (file: string) => string): string[] {
  const lines = warnings.flatMap(({ source, sentence, fix, at }) => [
    '',
    `warning in ${at === undefined || source.startsWith(at.file) ? source : `${source}, ${placeWords(at, nameOf)}`}:`,
    `  ${sentence}`,
    `  fix: ${fix}`,
  ])
  if (notes.length === 0) return lines
  return [
    ...lines,
    '',
    'Without effect:',
    ...notes.map(({ source, sentence, fix }) => `  ${source} ${sentence} (${fix})`),
  ]
}

function violationLines({ broken, brokenAt }: VerifyReport, again: string, nameOf: (file: string) => string): string[] {
  if (broken === undefined) return []
  const { violation, moments, seed, stoppedEarly } = broken
  return [
    '',
    `broken guarantee (${propertyWords(violation.property)}):`,
    `  ${violation.sentence}`,
    ...(brokenAt === undefined ? [] : [`  the limit is set in ${placeWords(brokenAt, nameOf)}`]),
    '',
    'the shortest trace that shows it:',
    ...timelineLines(moments),
    ...(stoppedEarly ? ['  shrinking stopped early, because the time was over: there may be a shorter trace'] : []),
    '',
    `again: ${again} --seed ${seed} --seconds 0`,
  ]
}

/** `property 11, quota conservation`. */
export function propertyWords(property: number): string {
  return `property ${property}, ${verifiedProperties.find(({ number: one }) => one === property)?.name ?? ''}`
}

function summaryLine(report: VerifyReport): string {
  const { warnings, traces, requests, seed, apis, policies, guarantees } = report
  const files = `${count(apis, 'API')} and ${count(policies, 'policy', 'policies')}`
  const tried = `${number(traces)} ${traces === 1 ? 'trace' : 'traces'} with ${countOf(requests)}, seed ${seed}`
  const warningWords = warnings.length === 0 ? '' : `, ${count(warnings.length, 'warning')}`
  switch (outcomeOf(report)) {
    case 'broken':
      return `not verified: a guarantee is broken${warningWords} (${files}, ${tried})`
    case 'nothing':
      return guarantees.length === 0
        ? `nothing to verify: no trace can test a limit of these files${warningWords} (${files}, seed ${seed})`
        : `nothing verified: no trace reached a limit${warningWords} (${files}, ${tried})`
    case 'warnings':
      return `not verified: guarantees kept${warningWords} (${files}, ${tried})`
    case 'verified':
      return `verified: ${files}, ${tried}`
  }
}
