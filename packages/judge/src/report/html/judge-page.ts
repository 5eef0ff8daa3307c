/** The verdict as one HTML page without scripts or external files, in the reader's light or dark mode. */
import { type ChartEntry, dotChart, escapeMarkup, htmlPage, htmlTable, pageStyle } from '@turnpike/reports'
import type { TimelineRow } from '../decision-timeline.ts'
import type { JudgedLimit } from '../judge-ci-report.ts'
import type { JsonFinding } from '../judge-json-report.ts'

const style = `${pageStyle}
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .85em/1.4 ui-monospace, monospace }
`

export function judgePage(judged: readonly JudgedLimit[]): string {
  const judgements = judged.map(({ judgement }) => judgement)
  const found = judgements.reduce((sum, { findings }) => sum + findings.length, 0)
  const isFine = judgements.every(({ holds }) => holds)
  const verdict = isFine ? 'nothing found' : found === 0 ? 'nothing was judged' : count(found, 'finding')
  const body = `<h1><span class="${isFine ? 'fine' : 'bad'}">${verdict}</span></h1>
${judged.map(limitPart).join('\n')}`
  return htmlPage({ title: `turnpike judge: ${verdict}`, style, body })
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`

function limitPart({ name, url, judgement }: JudgedLimit): string {
  const { limit, kind, findings, notRepeated, requests, seconds, seed, tried, usual, notJudged } = judgement
  const kinds = kind.sure ? `${kind.names.join()} (calm traffic contradicts every other kind)` : kind.names.join('; ')
  return `<section>
<h2>${escapeMarkup(name)}</h2>
<p>Gateway: <code>${escapeMarkup(url)}</code>, limit ${escapeMarkup(limit)}.</p>
<p>Kind: ${escapeMarkup(kinds)}. ${count(requests, 'request')} in ${seconds.toFixed(1)} s, seed ${seed}.</p>
${findings.map(findingPart).join('\n')}
${listPart(
  'Seen once, not repeated',
  notRepeated.map(({ attack, statement }) => `${attack}: ${statement}`),
)}
${listPart('Usual for this kind', usual)}
${listPart(
  'Not judged',
  notJudged.map(({ what, why }) => `${what}: ${why}`),
)}
${listPart('Tried', tried)}
</section>`
}

function listPart(title: string, items: readonly string[]): string {
  if (items.length === 0) return ''
  return `<h3>${title}</h3>\n<ul>\n${items.map((text) => `<li>${escapeMarkup(text)}</li>`).join('\n')}\n</ul>`
}

function findingPart({ attack, title, statement, client, seen, repeated, timeline, curl }: JsonFinding): string {
  const rows = timeline.map((row) => [
    `${row.atMs} ms`,
    `${count(row.requests, 'request')}${row.together ? ' at once' : ''}${row.label === undefined ? '' : `, ${row.label}`}`,
    row.admitted,
    row.requests - row.admitted,
    row.statuses,
    row.isHere ? 'wrong' : '',
  ])
  const script =
    curl === undefined ? '' : `<details><summary>With curl</summary><pre>${escapeMarkup(curl)}</pre></details>`
  return `<h3>Contradicts its documentation: ${escapeMarkup(attack)}</h3>
<p class="sentence">${escapeMarkup(statement)}.</p>
<p>${escapeMarkup(title)}; seen in ${seen} of ${repeated} repetitions alone, client <code>${escapeMarkup(client)}</code>.</p>
<div class="scroll" tabindex="0" role="group" aria-label="The requests as a chart">${dotChart({ label: statement, entries: timeline.flatMap(chartEntries), timeOf: (at) => `${at} ms` })}</div>
<p><small>Filled: admitted. Hollow: rejected. Red: wrong.</small></p>
${htmlTable(['time', 'requests', 'admitted', 'rejected', 'statuses', 'verdict'], rows)}
${script}`
}

/** A row has admitted and rejected requests. */
function chartEntries({ atMs, requests, admitted, statuses, label, isHere }: TimelineRow): readonly ChartEntry[] {
  const entry = {
    at: atMs,
    row: 'client',
    text: label === undefined ? statuses : `${statuses}, ${label}`,
    wrong: isHere,
  }
  return [
    { ...entry, count: admitted, admitted: true },
    { ...entry, count: requests - admitted, admitted: false },
  ].filter((part) => part.count > 0)
}
