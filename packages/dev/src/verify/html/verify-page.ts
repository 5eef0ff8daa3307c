/**
 * Renders the report as one HTML page without scripts or external files; it follows the light or dark mode of the
 * reader's system.
 */

import { escapeHtml } from '@turnpike/core/lib'
import { dotChart, htmlPage, pageStyle } from '@turnpike/reports'
import { count } from 'turnpike/embedding'
import { coverageCells, isExercised } from '../coverage.ts'
import { number, requests as requestWords } from '../format-text.ts'
import { limiterWords } from '../guarantees.ts'
import { timelineOf } from '../trace-timeline.ts'
import { type Outcome, outcomeOf, type VerifyReport } from '../verify-gateway.ts'
import { propertyWords } from '../verify-lines.ts'
import { spanWords } from '../violation.ts'

const verdicts: Readonly<Record<Outcome, string>> = {
  verified: 'verified',
  warnings: 'guarantees kept, but there are warnings',
  broken: 'a guarantee is broken',
  nothing: 'nothing verified',
}

/** `again` is the command line that reproduces a broken guarantee, without its seed. */
export function verifyPage(report: VerifyReport, again: string): string {
  const { traces, requests, seed } = report
  const fine = outcomeOf(report) === 'verified'
  const verdict = verdicts[outcomeOf(report)]
  const body = `<h1><span class="${fine ? 'fine' : 'bad'}">${verdict}</span></h1>
<p>${count(report.apis, 'API')}, ${count(report.policies, 'policy', 'policies')}; ${number(traces)} ${traces === 1 ? 'trace' : 'traces'} with ${requestWords(requests)}; seed ${seed}.</p>
${brokenPart(report, again)}${warningsPart(report)}${guaranteesPart(report)}`
  return htmlPage({ title: `turnpike verify: ${verdict}`, style: pageStyle, body })
}

function brokenPart({ broken }: VerifyReport, again: string): string {
  if (broken === undefined) return ''
  const { violation, moments, seed } = broken
  const timeline = timelineOf(moments)
  const entries = timeline.map(({ key, passed, ...entry }) => ({ ...entry, row: `key ${key}`, admitted: passed }))
  const rows = timeline.map(({ at, key, text, count, wrong }) => {
    const often = count > 1 ? ` × ${number(count)}` : ''
    return `<tr${wrong ? ' class="wrong"' : ''}><td>${escapeHtml(spanWords(at))}</td><td>${escapeHtml(key)}${often}</td><td>${escapeHtml(text)}</td></tr>`
  })
  return `<section>
<h2>Broken guarantee <small>${escapeHtml(propertyWords(violation.property))}</small></h2>
<p class="sentence">${escapeHtml(violation.sentence)}.</p>
<div class="scroll" tabindex="0" role="group" aria-label="The trace as a chart">${dotChart({ label: violation.sentence, entries, timeOf: spanWords })}</div>
<p><small>Filled: let through. Hollow: rejected. Red: against the guarantee. Dashed: something happened to the gateway.</small></p>
<table class="trace"><thead><tr><th>time</th><th>key</th><th>what happened</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
${broken.stoppedEarly ? '<p>Shrinking stopped early, because the time was over: there may be a shorter trace.</p>\n' : ''}<p>Again: <code>${escapeHtml(`${again} --seed ${seed} --seconds 0`)}</code></p>
</section>
`
}

function warningsPart({ warnings, notes }: VerifyReport): string {
  return listPart('Warnings', warnings) + listPart('Without effect', notes)
}

function listPart(title: string, warnings: VerifyReport['warnings']): string {
  if (warnings.length === 0) return ''
  const items = warnings.map(
    ({ source, sentence, fix }) =>
      `<li><strong>${escapeHtml(source)}</strong><br>${escapeHtml(sentence)}.<br><em>Fix:</em> ${escapeHtml(fix)}.</li>`,
  )
  return `<section><h2>${title}</h2><ul>\n${items.join('\n')}\n</ul></section>\n`
}

function guaranteesPart({ guarantees, untried, limiter }: VerifyReport): string {
  const rows = guarantees.map(({ words, note, coverage }) => {
    const [closest = '', rejected = '', traces = ''] = coverageCells(coverage)
    const notes = [...(isExercised(coverage) ? [] : ['never exercised: no trace reached this limit']), note ?? '']
    const more = notes.filter((text) => text !== '').map((text) => `<br><small>${escapeHtml(text)}</small>`)
    return `<tr><td>${escapeHtml(words)}${more.join('')}</td><td class="number">${closest}</td><td class="number">${rejected}</td><td class="number">${traces}</td></tr>`
  })
  const table =
    rows.length === 0
      ? '<p>No limit of these files can be tested.</p>'
      : `<table><thead><tr><th>guarantee</th><th class="number">closest</th><th class="number">rejected</th><th class="number">traces</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
<p>Rates are counted by the limiter <code>${limiter}</code>: ${escapeHtml(limiterWords[limiter])}.</p>`
  const left = untried.map(({ what, why }) => `<li>${escapeHtml(what)}: ${escapeHtml(why)}</li>`)
  const leftPart = left.length === 0 ? '' : `<h2>Read, but not tried</h2><ul>\n${left.join('\n')}\n</ul>`
  return `<section><h2>What these files guarantee, and how close the traces came</h2>
${table}
${leftPart}</section>
`
}
