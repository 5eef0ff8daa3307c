/** Formats the events of a trace, one line per instant: allowed requests, rejected requests, and the violation. */

import { number } from './format-text.ts'
import type { Moment, RequestMoment } from './violation.ts'
import { spanWords } from './violation.ts'

export interface TimelineEntry {
  /** Milliseconds since the beginning. */
  readonly at: number
  readonly key: string
  readonly text: string
  /** Number of requests; 0 if the event is not a request. */
  readonly count: number
  readonly passed: boolean
  readonly wrong: boolean
}

/** Groups requests of the same key, instant and outcome. */
export function timelineOf(moments: readonly Moment[]): TimelineEntry[] {
  const entries: (TimelineEntry & { count: number })[] = []
  let same = ''
  for (const moment of moments) {
    if (moment.kind !== 'request') {
      same = ''
      entries.push({ at: moment.at, key: moment.key, text: happened(moment), count: 0, passed: true, wrong: false })
      continue
    }
    const { target } = moment.limitedTarget
    const what = `${target.method} ${target.path} of "${target.api.id}"`
    const name = JSON.stringify([moment.at, moment.key, what, outcome(moment), moment.right])
    const last = entries.at(-1)
    if (name === same && last !== undefined) {
      last.count += 1
      continue
    }
    same = name
    const text = `${what}: ${outcome(moment)}`
    const passed = moment.verdict.rejectedBy === undefined
    entries.push({ at: moment.at, key: moment.key, text, count: 1, passed, wrong: !moment.right })
  }
  return entries
}

/** Formats the timeline for a terminal; the middle of a long run of requests is omitted. */
export function timelineLines(moments: readonly Moment[]): string[] {
  const entries = timelineOf(moments)
  const most = 40
  const shown = entries.length <= most ? entries : [...entries.slice(0, 10), ...entries.slice(-(most - 10))]
  const width = Math.max(...shown.map(({ at }) => spanWords(at).length), 1)
  const lines = shown.map(({ at, key, text, count, wrong }) => {
    const who = count === 0 ? '' : `${key}  ${count > 1 ? `${number(count)} × ` : ''}`
    return `  ${spanWords(at).padStart(width)}  ${who}${text}${wrong ? '  <- here' : ''}`
  })
  if (shown.length < entries.length) {
    const left = entries.slice(10, entries.length - (most - 10)).reduce((sum, { count }) => sum + count, 0)
    lines.splice(10, 0, `  ${'…'.padStart(width)}  ${number(left)} more requests`)
  }
  return lines
}

function outcome({ verdict, expected }: RequestMoment): string {
  const { rejectedBy, status, message } = verdict
  if (rejectedBy === undefined)
    return expected.rejectedBy === undefined ? 'let through' : 'let through, beyond the guarantee'
  return expected.rejectedBy === undefined ? `${status} ${message}, against the guarantee` : `${status} ${message}`
}

function happened(moment: Exclude<Moment, RequestMoment>): string {
  switch (moment.kind) {
    case 'reload':
      return 'the gateway reloads; no file has changed'
    case 'rewrite':
      return `key ${moment.key} is written again and keeps its counters (suppress_reset)`
    case 'update':
      return `key ${moment.key} is written again, which gives its quota back`
    case 'delete':
      return `key ${moment.key} is deleted`
    case 'clock':
      return `the clock is set back by ${spanWords(-(moment.byMs ?? 0))}`
  }
}
