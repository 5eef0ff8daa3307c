/** Every model of a limiter that could be behind a URL, before any request was sent. */
import { blockingModel } from './blocking-model.ts'
import { delayingQueue } from './delaying-queue-model.ts'
import { fixedFromFirst, fixedOnGrid } from './fixed-window-model.ts'
import type { Kind, Model, RateLimit } from './model.ts'
import { blockingLog, rollingLog } from './rolling-log-model.ts'
import { slidingOnGrid, slidingWindow } from './sliding-window-model.ts'
import { spacing } from './spacing-model.ts'
import { bucketThatStartsEmpty, tokenBuckets } from './token-bucket-model.ts'

/** Models of the kind, or of every kind with `auto`. A stated burst leaves only buckets and queues. */
export function candidateModels(limit: RateLimit, kind: Kind | 'auto'): readonly Model[] {
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
    ...tokenBuckets(limit),
    bucketThatStartsEmpty(limit),
    ...blockingModels(limit),
    ...(limit.slackMs === undefined && kind !== 'spacing' ? [] : [spacing(limit)]),
    delayingQueue(limit),
  ]
  if (kind !== 'auto') return all.filter((model) => model.kind === kind)
  return limit.burst === undefined ? all : all.filter(({ kind: one }) => one === 'token-bucket' || one === 'delaying')
}

function blockingModels(limit: RateLimit): readonly Model[] {
  return (['window', 'log'] as const).flatMap((counts) =>
    [false, true].map((isExtended) => blockingModel(limit, { counts, isExtended })),
  )
}
