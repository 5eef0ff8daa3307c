/** The kinds of limiters that could be behind a URL, as far as what was seen does not rule them out. */
import type { Group } from '../trace/trace-and-history.ts'
import { delayingQueue } from './delaying.ts'
import { fixedFromFirst, fixedOnGrid } from './fixed-window.ts'
import type { Contradiction, Kind, Model, RateLimit } from './model.ts'
import { blockingLog, rollingLog } from './rolling-log.ts'
import { slidingOnGrid, slidingWindow } from './sliding-window.ts'
import { tokenBucket } from './token-bucket.ts'

/** Models of the kind, or of every kind with `auto`. A stated burst leaves only buckets and queues. */
export function candidatesFor(limit: RateLimit, kind: Kind | 'auto'): readonly Model[] {
  const all = [
    fixedFromFirst(limit),
    fixedOnGrid(limit),
    rollingLog(limit, 'admitted'),
    rollingLog(limit, 'all'),
    blockingLog(limit),
    slidingWindow(limit, { counted: 'admitted' }),
    slidingWindow(limit, { counted: 'all' }),
    slidingOnGrid(limit, 'admitted'),
    slidingOnGrid(limit, 'all'),
    tokenBucket(limit),
    delayingQueue(limit),
  ]
  if (kind !== 'auto') return all.filter((model) => model.kind === kind)
  return limit.burst === undefined ? all : all.filter(({ kind: one }) => one === 'token-bucket' || one === 'delaying')
}

export type Verdict =
  /** The models that explain the history, with what they learned from it. */
  | { readonly models: readonly Model[]; readonly contradiction?: undefined }
  /** No model explains it. The contradiction is that of the model that explains most of it. */
  | { readonly contradiction: Contradiction; readonly model: Model }

/** Explains the history of a fresh client by the models. */
export function explainBy(models: readonly Model[], groups: readonly Group[]): Verdict {
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
