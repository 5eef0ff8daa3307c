/**
 * Finds the models that explain a history, and says in words what contradicts the others. `standard.ts` decides with them
 * whether a gateway broke its limit; `judging/confirm-suspicion.ts` repeats the trace three times before
 * `judging/limit-session.ts` reports it. Wrong response headers are found in `attacks/check-rate-limit-headers.ts` and
 * `attacks/check-retry-after.ts`.
 */

import type { Group, History, Statement } from '../trace/trace-and-history.ts'
import type { Contradiction, Model } from './model.ts'

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
export function explainByModels(models: readonly Model[], all: readonly Group[]): Verdict {
  const { groups, starts } = joinInstants(all)
  const explained: Model[] = []
  let best: { contradiction: Contradiction; model: Model } | undefined
  for (const model of models) {
    const { contradiction, ...rest } = model.explain(groups)
    if (contradiction === undefined) {
      if ('learned' in rest) explained.push(rest.learned as Model)
    } else if (best === undefined || contradiction.group > best.contradiction.group) best = { contradiction, model }
  }
  if (best === undefined || explained.length > 0) return { models: explained }
  return { ...best, contradiction: inAll(best.contradiction, groups, starts) }
}

interface Joined {
  readonly groups: readonly Group[]
  readonly starts: readonly number[]
}

/** Each history is explained by many models. */
const joined = new WeakMap<readonly Group[], Joined>()

/**
 * On a virtual clock, requests one after the other have the same instant. Those of which the first ones are admitted and
 * the others rejected are one group, because models take longer for more groups. `starts`: the first request of each.
 */
function joinInstants(all: readonly Group[]): Joined {
  const known = joined.get(all)
  if (known !== undefined) return known
  const groups: Group[] = []
  const starts: number[] = []
  for (const [index, group] of all.entries()) {
    const last = groups.at(-1)
    const isJoined =
      last !== undefined &&
      group.count === 1 &&
      last.step === group.step &&
      last.sentAt === group.answeredAt &&
      index - (starts.at(-1) ?? 0) === last.count &&
      (group.admitted === 0 || last.admitted === last.count)
    if (isJoined)
      groups[groups.length - 1] = { ...last, count: last.count + 1, admitted: last.admitted + group.admitted }
    else {
      groups.push(group)
      starts.push(index)
    }
  }
  const found = { groups, starts }
  joined.set(all, found)
  return found
}

/** The contradiction as that of one of the requests of a group that was joined. */
function inAll(found: Contradiction, groups: readonly Group[], starts: readonly number[]): Contradiction {
  const { group: index, allowed, direction } = found
  const group = groups[index]
  const start = starts[index] ?? 0
  if (group === undefined || group.count === group.exchanges.length) return { ...found, group: start }
  const isTooMany = direction === 'too many'
  const first = isTooMany ? Math.min(allowed.max, group.admitted - 1) : group.admitted
  return { group: start + first, allowed: isTooMany ? { min: 0, max: 0 } : { min: 1, max: 1 }, direction }
}

/** Says what was seen, and what `limiter` would have done. */
export function describeContradiction(
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
