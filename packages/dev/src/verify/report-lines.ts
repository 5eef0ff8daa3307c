/** Formats the report for a terminal. */
import { count } from 'turnpike/embedding'
import { limiterWords } from './guarantees.ts'
import { verifiedProperties } from './property-filter.ts'
import { timelineLines } from './timeline.ts'
import type { VerifyReport } from './verify-gateway.ts'
import { requests as countOf, number } from './words.ts'

/** `again` is the command line that reproduces a broken guarantee, without its seed. */
export function reportLines(report: VerifyReport, again: string): string[] {
  return [...guaranteeLines(report), ...warningLines(report), ...violationLines(report, again), '', summaryLine(report)]
}

function guaranteeLines({ guarantees, untried, limiter }: VerifyReport): string[] {
  const lines = ['What these files guarantee:']
  for (const { words, note, reached } of guarantees) {
    lines.push(`  ${words}${reached ? '' : ' (not reached by any trace)'}`)
    if (note !== undefined) lines.push(`    ${note}`)
  }
  if (guarantees.length === 0)
    lines.push('  nothing: no policy, key, organisation or API has a limit that can be tried')
  else lines.push(`  Rates are counted by the limiter "${limiter}": ${limiterWords[limiter]}.`)
  if (untried.length === 0) return lines
  return [...lines, '', 'Read, but not tried:', ...untried.map(({ what, why }) => `  ${what}: ${why}`)]
}

function warningLines({ warnings, notes }: VerifyReport): string[] {
  const lines = warnings.flatMap(({ source, sentence, fix }) => [
    '',
    `warning in ${source}:`,
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

function violationLines({ broken }: VerifyReport, again: string): string[] {
  if (broken === undefined) return []
  const { violation, moments, seed } = broken
  return [
    '',
    `broken guarantee (${propertyWords(violation.property)}):`,
    `  ${violation.sentence}`,
    '',
    'the shortest way to see it:',
    ...timelineLines(moments),
    '',
    `again: ${again} --seed ${seed} --seconds 0`,
  ]
}

/** `property 11, quota conservation`. */
export function propertyWords(property: number): string {
  return `property ${property}, ${verifiedProperties.find(({ number: one }) => one === property)?.name ?? ''}`
}

function summaryLine({ broken, warnings, traces, requests, seed, apis, policies }: VerifyReport): string {
  const files = `${count(apis, 'API')} and ${count(policies, 'policy', 'policies')}`
  const tried = `${number(traces)} ${traces === 1 ? 'trace' : 'traces'} with ${countOf(requests)}, seed ${seed}`
  const strange = warnings.length === 0 ? '' : `, ${count(warnings.length, 'warning')}`
  if (broken !== undefined) return `not verified: a guarantee is broken${strange} (${files}, ${tried})`
  return warnings.length === 0
    ? `verified: ${files}, ${tried}`
    : `not verified: guarantees kept${strange} (${files}, ${tried})`
}
