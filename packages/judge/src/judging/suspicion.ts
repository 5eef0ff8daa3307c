/** A result that looks wrong, with what is needed to repeat it. */

import { explainBy } from '../models/candidates.ts'
import type { Model } from '../models/model.ts'
import type { History, Trace } from '../trace/trace-and-history.ts'
import type { NotRun } from './prober.ts'

export interface Statement {
  /** One sentence: what was seen, and what would be right. */
  readonly text: string
  /** Index in `groups` of the history. */
  readonly group: number
  /** Equal for the same mistake in several runs. */
  readonly mistake: string
}

export interface Suspicion {
  /** Name of the attack. */
  readonly attack: string
  readonly title: string
  readonly history: History
  readonly statement: Statement
  /** Sends the trace again; `trace` replaces it while it is being shortened. */
  repeat(trace: Trace, deadline: number): Promise<History | NotRun>
  /** Says what is wrong with a history; `undefined` if nothing is. */
  check(history: History): Statement | undefined
  /** False if the trace must stay as it is. */
  readonly canShrink: boolean
}

/** Says how a history contradicts all models. */
export function contradictionIn(models: readonly Model[], history: History): Statement | undefined {
  const verdict = explainBy(models, history.groups)
  if (verdict.contradiction === undefined) return undefined
  const { group: index, allowed, direction } = verdict.contradiction
  const group = history.groups[index]
  if (group === undefined) return undefined
  const { min, max } = allowed
  const expected = min === max ? `exactly ${min}` : direction === 'too many' ? `at most ${max}` : `at least ${min}`
  const requests = group.count === 1 ? 'the request' : `of ${group.count} concurrent requests`
  const seen =
    group.count === 1 ? (group.admitted === 1 ? 'is admitted' : 'is rejected') : `${group.admitted} are admitted`
  const at = Math.round(group.sentAt - history.startedAt)
  const known = models.length === 1 ? `a ${verdict.model.name}` : 'every kind of limiter that the probes left'
  const should =
    group.count === 1 ? `${known} ${direction === 'too many' ? 'rejects' : 'admits'} it` : `${known} admits ${expected}`
  return { text: `at ${at} ms ${requests} ${seen}; ${should}`, group: index, mistake: direction }
}

/** Says how a history rules out one model, without naming it. */
export function whyRuledOut(model: Model, history: History): string | undefined {
  const { contradiction } = explainBy([model], history.groups)
  const group = history.groups[contradiction?.group ?? -1]
  if (contradiction === undefined || group === undefined) return undefined
  const at = Math.round(group.sentAt - history.startedAt)
  return `it would have ${contradiction.direction === 'too many' ? 'rejected' : 'admitted'} the request at ${at} ms`
}
