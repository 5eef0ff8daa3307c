/**
 * Bounds that hold for every limiter, known or not. A limiter counts in windows, over the trailing period or with a
 * bucket, so it keeps at least one of the upper bounds; which ones, calm traffic shows. It may reject more than its limit
 * requires, but not every request: `lower-bounds.ts`.
 */
import { bucketBound, trailingBound, withSlack } from './at-most-bounds.ts'
import { atMostFromFirst, atMostOnGrid } from './fixed-window-model.ts'
import type { Kind, Model, RateLimit } from './model.ts'

type Family = 'trailing' | 'from-first' | 'grid' | 'bucket'

/** Which upper bounds the documented kind keeps. */
const familiesOf: Readonly<Record<Kind | 'auto', readonly Family[]>> = {
  auto: ['trailing', 'from-first', 'grid', 'bucket'],
  'fixed-window': ['from-first', 'grid'],
  'sliding-window': ['trailing', 'from-first', 'grid'],
  'rolling-log': ['trailing'],
  'token-bucket': ['bucket'],
  spacing: ['bucket'],
  delaying: ['bucket'],
  blocking: ['trailing', 'from-first', 'grid'],
}

/** The upper bounds, of which a limiter keeps at least one. A stated burst leaves only that of buckets. */
export function upperBounds(limit: RateLimit, kind: Kind | 'auto'): readonly Model[] {
  const families = kind === 'auto' && limit.burst !== undefined ? familiesOf['token-bucket'] : familiesOf[kind]
  const room = kind === 'spacing' ? 1 : (limit.burst ?? limit.count)
  const makers: Record<Family, () => Model> = {
    trailing: () => trailingBound(limit),
    'from-first': () => atMostFromFirst(limit),
    grid: () => atMostOnGrid(limit),
    bucket: () => bucketBound(withSlack(limit), room),
  }
  return families.map((family) => makers[family]())
}
