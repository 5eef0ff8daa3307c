/**
 * Decides whether a gateway broke its limit. The candidate models are the kinds of limiter that still fit after calm
 * traffic. If none of them can explain a history, the gateway admitted too much or too little, and
 * `judging/confirm-suspicion.ts` repeats the trace three times before `judging/limit-session.ts` reports it. Wrong
 * response headers are found in `attacks/check-rate-limit-headers.ts` and `attacks/check-retry-after.ts`.
 */

import type { Group, History, Statement } from '../trace/trace-and-history.ts'
import type { Contradiction, Model } from './model.ts'

/** Returns the contradiction in words if no candidate model explains the history, and `undefined` if one does. */
export function findContradiction(models: readonly Model[], history: History): Statement | undefined {
  const verdict = explainByModels(models, history.groups)
  if (verdict.contradiction === undefined) return undefined
  const { name } = verdict.model
  const limiter = models.length === 1 ? `a ${name}` : `even the closest kind of limiter, a ${name},`
  return describeContradiction(verdict.contradiction, limiter, history)
}

/** Returns how a history rules out one model, without its name; `undefined` if the model explains the history. */
export function whyRuledOut(model: Model, history: History): string | undefined {
  const { contradiction } = explainByModels([model], history.groups)
  const group = history.groups[contradiction?.group ?? -1]
  if (contradiction === undefined || group === undefined) return undefined
  const at = Math.round(group.sentAt - history.startedAt)
  return `it would have ${contradiction.direction === 'too many' ? 'rejected' : 'admitted'} the request at ${at} ms`
}

export type Verdict =
  /** The models that explain the history, with what they learned from it. */
  | { readonly models: readonly Model[]; readonly contradiction?: undefined }
  /** No model explains it. The contradiction is that of the model that explains most of it. */
  | { readonly contradiction: Contradiction; readonly model: Model }

/** Finds the models that explain the history of a fresh client. */
export function explainByModels(models: readonly Model[], groups: readonly Group[]): Verdict {
  const explained: Model[] = []
  let best: { contradiction: Contradiction; model: Model } | undefined
  for (const model of models) {
    const { contradiction, ...rest } = model.explain(groups)
    if (contradiction === undefined) {
      if ('learned' in rest) explained.push(rest.learned as Model)
    } else if (best === undefined || contradiction.group > best.contradiction.group) best = { contradiction, model }
  }
  return best !== undefined && explained.length === 0 ? best : { models: explained }
}

/** Says what was seen, and what `limiter` would have done. */
function describeContradiction(
  { group: index, allowed: { min, max }, direction }: Contradiction,
  limiter: string,
  history: History,
): Statement | undefined {
  const group = history.groups[index]
  if (group === undefined) return undefined
  const at = Math.round(group.sentAt - history.startedAt)
  const statement = (text: string): Statement => ({ text: `at ${at} ms ${text}`, group: index, mistake: direction })
  if (group.count === 1) {
    const seen = group.admitted === 1 ? 'is admitted' : 'is rejected'
    return statement(`the request ${seen}; ${limiter} ${direction === 'too many' ? 'rejects' : 'admits'} it`)
  }
  const expected = min === max ? `exactly ${min}` : direction === 'too many' ? `at most ${max}` : `at least ${min}`
  const seen = `of ${group.count} concurrent requests ${group.admitted} are admitted`
  return statement(`${seen}; ${limiter} admits ${expected}`)
}
