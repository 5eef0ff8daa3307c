/** The report of a simulation as one HTML page without scripts or external files, in the reader's light or dark mode. */
import { limitsOfPlan, type ScenarioReport, summaryLines, timelineOf } from '@turnpike/cluster-sim'
import { escapeHtml } from '@turnpike/core/lib'
import { htmlPage, htmlTable, pageStyle } from '@turnpike/reports'
import type { Untried } from '../../verify/why-not-tested.ts'
import { nodeTable, outcomeWords } from '../sim-lines.ts'
import { clusterChart } from './cluster-chart.ts'
import { limitChart } from './limit-chart.ts'

export interface SimPage {
  readonly name: string
  /** What one sees, by the scenario. */
  readonly about: string
  readonly report: ScenarioReport
  readonly untried: readonly Untried[]
  /** The command line that repeats the run. */
  readonly again: string
}

export function simPage({ name, about, report, untried, again }: SimPage): string {
  const { holds, runs, requests, seed, plan, history } = report
  const title = holds ? 'all checks hold' : 'a check is broken'
  const [nodeHeads = [], ...nodes] = nodeTable(report)
  const style = `${pageStyle}.key span { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em }`
  const body = `<h1>${escapeHtml(name)}: <span class="${holds ? 'fine' : 'bad'}">${title}</span></h1>
<p>${runs} ${runs === 1 ? 'run' : 'runs'}, ${requests} requests. ${escapeHtml(about)}</p>
${verdictPart(report)}
<h2>Requests of each node <small>${holds ? `the first run, seed ${seed}` : `the shortest schedule, seed ${seed}`}</small></h2>
${clusterChart(plan, history)}
<p class="key"><small><span style="background:var(--pass)"></span>admitted<span style="background:var(--reject)"></span>rejected<span style="background:var(--limit)"></span>503<span style="background:var(--wrong)"></span>other 5xx, or no response. Dashed: a fault or a change.</small></p>
${htmlTable(nodeHeads, nodes)}
${limitsPart(report)}
<h2>Faults and decisions</h2>
${timelineTable(report)}
${untriedPart(untried)}
<p>Again: <code>${escapeHtml(again)}</code></p>`
  return htmlPage({ title: `turnpike sim: ${name}`, style, body })
}

function verdictPart(report: ScenarioReport): string {
  if (report.holds) return `<p>Checked: ${report.checks.join(', ')}.</p>`
  const { check, message } = report.violation
  return `<p class="sentence">${escapeHtml(check)}: ${escapeHtml(message)}</p>
<details open><summary>The shortest schedule that breaks it</summary><pre>${escapeHtml(timelineOf(report.history))}</pre></details>`
}

function limitsPart({ plan, history }: ScenarioReport): string {
  const limits = limitsOfPlan(plan)
  if (limits.length === 0) return ''
  const charts = limits.map((limit) => `<p>${escapeHtml(limit.words)}</p>\n${limitChart(limit, history)}`)
  return `<h2>Limits over all nodes</h2>\n${charts.join('\n')}`
}

function timelineTable({ history }: ScenarioReport): string {
  const rows = summaryLines(history).map((line) =>
    line.kind === 'event' ? [`${line.at} ms`, line.text] : [`${line.from}–${line.to} ms`, outcomeWords(line.outcomes)],
  )
  return htmlTable(['time', 'what happened'], rows)
}

function untriedPart(untried: readonly Untried[]): string {
  if (untried.length === 0) return ''
  const items = untried.map(({ what, why }) => `<li>${escapeHtml(what)}: ${escapeHtml(why)}</li>`)
  return `<h2>Not simulated</h2><ul>\n${items.join('\n')}\n</ul>`
}
