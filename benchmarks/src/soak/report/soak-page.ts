/** The record of a soak as one HTML page without scripts or external files: a chart for each series, and the verdicts. */
import { escapeMarkup, htmlPage } from '@turnpike/reports'
import type { Sample, SoakEvent, SoakRecord } from './series.ts'

const width = 900
const height = 150
const left = 64
const right = 16
const floor = 118
const room = 96
const titleHeight = 30

export function soakPage(records: readonly SoakRecord[], facts: string): string {
  const missed = records.flatMap(({ rows }) => rows).filter(({ verdict }) => verdict === 'missed').length
  const title = missed === 0 ? 'nothing grew or stalled' : `${missed} ${missed === 1 ? 'check' : 'checks'} failed`
  const body = `<h1>Soak: <span class="${missed === 0 ? 'fine' : 'bad'}">${title}</span></h1>
<p>${escapeMarkup(facts)}</p>
${records.map(recordPart).join('\n')}`
  return htmlPage({ title: `Turnpike soak: ${title}`, style, body })
}

/** All charts of a record below each other, as one SVG file for a page that cannot contain HTML. */
export function soakPicture({ title, samples, events }: SoakRecord): string {
  const names = seriesNames(samples)
  const charts = names.map((name, index) => {
    const top = index * (height + titleHeight)
    const heading = `<text x="${left}" y="${top + 20}" class="title">${escapeMarkup(name)}</text>`
    return `${heading}\n${chart(name, samples, events, `y="${top + titleHeight}" height="${height}"`)}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${names.length * (height + titleHeight)}" role="img" aria-label="${escapeMarkup(title)}">
<style>${colours}svg { background: var(--ground) } .title { fill: var(--ink); font-size: 14px }${chartStyle}</style>
${charts.join('\n')}
</svg>
`
}

function recordPart({ title, duration, samples, events, rows }: SoakRecord): string {
  const charts = seriesNames(samples).map((name) => `<h3>${escapeMarkup(name)}</h3>\n${chart(name, samples, events)}`)
  return `<h2>${escapeMarkup(title)} <small>${escapeMarkup(duration)}</small></h2>
<table><thead><tr><th>what</th><th>measured</th><th>budget</th><th>verdict</th><th>note</th></tr></thead><tbody>
${rows.map(({ name, measured, budget, verdict, note }) => `<tr class="${verdict}">${[name, measured, budget, verdict, note].map((cell) => `<td>${escapeMarkup(cell)}</td>`).join('')}</tr>`).join('\n')}
</tbody></table>
${charts.join('\n')}
<p><small>Dashed lines: ${escapeMarkup([...new Set(events.map(({ text }) => text))].join('; '))}.</small></p>`
}

function seriesNames(samples: readonly Sample[]): string[] {
  return [...new Set(samples.flatMap(({ values }) => Object.keys(values)))]
}

/** A line from zero to the largest value, with the events as dashed lines. `place`: further attributes of the element. */
function chart(name: string, samples: readonly Sample[], events: readonly SoakEvent[], place = ''): string {
  const points = samples.flatMap(({ at, values }) => (values[name] === undefined ? [] : [{ at, value: values[name] }]))
  const end = Math.max(1, ...samples.map(({ at }) => at))
  const most = Math.max(0, ...points.map(({ value }) => value)) || 1
  const x = (at: number) => (left + (at / end) * (width - left - right)).toFixed(1)
  const y = (value: number) => (floor - (value / most) * room).toFixed(1)
  const marks = events.map(
    ({ at, text }) =>
      `<line x1="${x(at)}" x2="${x(at)}" y1="14" y2="${floor}" class="event"><title>${time(at)}: ${escapeMarkup(text)}</title></line>`,
  )
  return `<svg viewBox="0 0 ${width} ${height}" ${place} role="img" aria-label="${escapeMarkup(name)} over time">
<line x1="${left}" x2="${width - right}" y1="${floor}" y2="${floor}" class="axis"/>
${marks.join('')}
<polyline points="${points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')}" class="series"/>
<text x="${left - 6}" y="${floor - room + 4}" text-anchor="end">${Number(most.toPrecision(4))}</text><text x="${left - 6}" y="${floor}" text-anchor="end">0</text>
<text x="${left}" y="${height - 12}">0</text><text x="${width - right}" y="${height - 12}" text-anchor="end">${time(end)}</text>
</svg>`
}

function time(seconds: number): string {
  if (seconds >= 3600) return `${(seconds / 3600).toFixed(1)} h`
  return seconds >= 120 ? `${(seconds / 60).toFixed(1)} min` : `${seconds.toFixed(0)} s`
}

const colours = `
:root { --ground: #ffffff; --ink: #1c2128; --soft: #57606a; --line: #d0d7de; --pass: #1a7f4b; --wrong: #c62828; --event: #9a6700 }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16191d; --ink: #e6e8ea; --soft: #a0a8b0; --line: #3a4149; --pass: #4cc38a; --wrong: #ff7b72; --event: #e3b341 }
}
`
const chartStyle = `
svg text { fill: var(--soft); font: 12px system-ui, sans-serif }
svg .axis { stroke: var(--line) } svg .event { stroke: var(--event); stroke-dasharray: 3 4; opacity: .5 }
svg .series { fill: none; stroke: var(--pass); stroke-width: 1.5 }
`
const style = `${colours}
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem }
h3 { margin: 1rem 0 0; font-size: 1rem } small { color: var(--soft); font-weight: normal }
.fine { color: var(--pass) } .bad, tr.missed td { color: var(--wrong) }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line) }
svg { width: 100%; height: auto }
${chartStyle}`
