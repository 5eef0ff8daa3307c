/** Formats the report for a terminal. */
import { count } from 'turnpike/embedding'
import { verifiedLaws } from './law-filter.ts'
import { limiterWords } from './promises.ts'
import { timelineLines } from './timeline.ts'
import type { VerifyReport } from './verify-gateway.ts'
import { requests as countOf, number } from './words.ts'

/** `again` is the command line that reproduces a broken guarantee, without its seed. */
export function reportLines(report: VerifyReport, again: string): string[] {
  return [...guaranteeLines(report), ...warningLines(report), ...violationLines(report, again), '', summaryLine(report)]
}

function guaranteeLines({ promises, untried, limiter }: VerifyReport): string[] {
  const lines = ['What these files promise:']
  for (const { words, note, reached } of promises) {
    lines.push(`  ${words}${reached ? '' : ' (not reached by any trace)'}`)
    if (note !== undefined) lines.push(`    ${note}`)
  }
  if (promises.length === 0) lines.push('  nothing: no policy, key, organisation or API has a limit that can be tried')
  else lines.push(`  Rates are counted by the limiter "${limiter}": ${limiterWords[limiter]}.`)
  if (untried.length === 0) return lines
  return [...lines, '', 'Read, but not tried:', ...untried.map(({ what, why }) => `  ${what}: ${why}`)]
}

function warningLines({ surprises }: VerifyReport): string[] {
  return surprises.flatMap(({ source, sentence, wayOut }) => [
    '',
    `surprise in ${source}:`,
    `  ${sentence}`,
    `  way out: ${wayOut}`,
  ])
}

function violationLines({ broken }: VerifyReport, again: string): string[] {
  if (broken === undefined) return []
  const { violation, moments, seed } = broken
  return [
    '',
    `broken promise (${lawWords(violation.law)}):`,
    `  ${violation.sentence}`,
    '',
    'the shortest way to see it:',
    ...timelineLines(moments),
    '',
    `again: ${again} --seed ${seed} --seconds 0`,
  ]
}

/** `law 11, quota conservation`. */
export function lawWords(law: number): string {
  return `law ${law}, ${verifiedLaws.find(({ number: one }) => one === law)?.name ?? ''}`
}

function summaryLine({ broken, surprises, traces, requests, seed, apis, policies }: VerifyReport): string {
  const files = `${count(apis, 'API')} and ${count(policies, 'policy', 'policies')}`
  const tried = `${number(traces)} ${traces === 1 ? 'trace' : 'traces'} with ${countOf(requests)}, seed ${seed}`
  const strange = surprises.length === 0 ? '' : `, ${count(surprises.length, 'surprise')}`
  if (broken !== undefined) return `not verified: a promise is broken${strange} (${files}, ${tried})`
  return surprises.length === 0
    ? `verified: ${files}, ${tried}`
    : `not verified: promises kept${strange} (${files}, ${tried})`
}
