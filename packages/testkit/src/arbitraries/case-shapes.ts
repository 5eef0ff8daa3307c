/** Shapes of cases in which bugs of limiters hide. `caseStatistics` counts how often a generator draws them. */
import type { BatchCase } from './batch-cases.ts'
import type { FlowCase } from './flow-cases.ts'
import type { KeyCase } from './key-cases.ts'
import type { QuotaCase } from './quota-cases.ts'
import type { RateCase } from './rate-cases.ts'
import type { RateRequest } from './traces.ts'

/** Predicates by name: whether a case has a shape. */
export type Shapes<C> = Readonly<Record<string, (propertyCase: C) => boolean>>

const windowMsOf = ({ limit }: RateCase) => Math.max(1, Math.floor(limit.per)) * 1000
const isFraction = (value: number) => value % 1 !== 0

/** The largest number of requests of one key at one instant. */
function largestBurst(requests: readonly RateRequest[]): number {
  const counts = new Map<string, number>()
  for (const { at, key } of requests) counts.set(`${key} ${at}`, (counts.get(`${key} ${at}`) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

/** True if two requests of one key are this far apart. */
function areApart(requests: readonly RateRequest[], ms: number): boolean {
  const seen = new Set(requests.map(({ at, key }) => `${key} ${at}`))
  return requests.some(({ at, key }) => seen.has(`${key} ${at + ms}`))
}

function hasRest(requests: readonly RateRequest[], ms: number): boolean {
  return requests.some(({ at }, i) => at - (requests[i - 1]?.at ?? at) >= ms)
}

export const rateShapes: Shapes<RateCase> = {
  'more requests at once than the limit': ({ limit, requests }) => largestBurst(requests) > limit.rate,
  'a request at the edge of a window': (one) => one.requests.some(({ at }) => at % windowMsOf(one) === 0),
  'a request 1 ms before the edge of a window': (one) =>
    one.requests.some(({ at }) => at % windowMsOf(one) === windowMsOf(one) - 1),
  'requests exactly one window apart': (one) => areApart(one.requests, windowMsOf(one)),
  'requests 1 ms less than a window apart': (one) => areApart(one.requests, windowMsOf(one) - 1),
  'requests 1 ms more than a window apart': (one) => areApart(one.requests, windowMsOf(one) + 1),
  'a rest of two windows': (one) => hasRest(one.requests, 2 * windowMsOf(one)),
  'several keys': ({ requests }) => requests.some(({ key }) => key !== requests[0]?.key),
  'a clock that steps back': ({ requests }) => requests.some(({ at }, i) => at < (requests[i - 1]?.at ?? at)),
  'a rate that is a fraction': ({ limit }) => isFraction(limit.rate),
  'a rate below 1': ({ limit }) => limit.rate < 1,
  'a period that is a fraction': ({ limit }) => isFraction(limit.per),
}

export const flowShapes: Shapes<FlowCase> = {
  'more requests at once than the burst': ({ limit, requests }) => largestBurst(requests) > limit.burst,
  'a request that costs more than 1': ({ requests }) => requests.some(({ amount }) => amount > 1),
  'a request that costs more than the burst': ({ limit, requests }) =>
    requests.some(({ amount }) => amount > limit.burst),
  'an interval that is not a whole number of milliseconds': ({ limit }) => limit.periodMs % limit.count !== 0,
  'a rest that fills the bucket': ({ limit, requests }) =>
    hasRest(requests, (limit.burst * limit.periodMs) / limit.count),
}

export const quotaShapes: Shapes<QuotaCase> = {
  'more requests at one instant than the quota': ({ max, steps }) => {
    const counts = new Map<number, number>()
    for (const step of steps) {
      if (step.kind === 'consume') counts.set(step.at, (counts.get(step.at) ?? 0) + step.amount)
    }
    return Math.max(0, ...counts.values()) > max
  },
  'steps exactly one period apart': ({ steps, renewalSeconds }) => {
    const seen = new Set(steps.map(({ at }) => at))
    return renewalSeconds > 0 && steps.some(({ at }) => seen.has(at + renewalSeconds * 1000))
  },
  'a quota that never renews': ({ renewalSeconds }) => renewalSeconds <= 0,
  'a request that costs more than 1': ({ steps }) => steps.some((step) => step.kind === 'consume' && step.amount > 1),
  'a reading': ({ steps }) => steps.some(({ kind }) => kind === 'peek'),
  'a reset': ({ steps }) => steps.some(({ kind }) => kind === 'reset'),
  'a changed maximum': ({ steps }) => steps.some(({ kind }) => kind === 'change-max'),
}

export const batchShapes: Shapes<BatchCase> = {
  'items in order': ({ inOrder }) => inOrder,
  'items at once': ({ inOrder }) => !inOrder,
  'no items': ({ items }) => items.length === 0,
  'more than five items': ({ items }) => items.length > 5,
  'an item with dot segments': ({ items }) => items.some(({ relativeUrl }) => /(^|\/)(\.|%2e)/i.test(relativeUrl)),
  'an item that names a host': ({ items }) => items.some(({ relativeUrl }) => /^(https?:)?\/\//.test(relativeUrl)),
  'an item without a key': ({ items }) => items.some(({ key }) => key === undefined),
  'items of two keys': ({ items }) => new Set(items.map(({ key }) => key)).size > 1,
}

export const keyShapes: Shapes<KeyCase> = {
  'concurrent calls': ({ rounds }) => rounds.some(({ calls }) => calls.length > 1),
  'concurrent calls on one key, one of them removes it': ({ rounds }) =>
    rounds.some(({ calls }) =>
      calls.some((call, i) => call.kind === 'remove' && calls.some((other, j) => i !== j && idOf(other) === call.id)),
    ),
  'a call by the stored name': ({ rounds }) =>
    rounds.some(({ calls }) => calls.some((call) => 'by' in call && call.by === 'stored')),
  'a key that expires': ({ rounds }) =>
    rounds.some(({ calls }) => calls.some((call) => 'fields' in call && call.fields.expiresInSeconds > 0)),
  'a request of a client': ({ rounds }) => rounds.some(({ calls }) => calls.some(({ kind }) => kind === 'request')),
  'a list': ({ rounds }) => rounds.some(({ calls }) => calls.some(({ kind }) => kind === 'list')),
}

const idOf = (call: KeyCase['rounds'][number]['calls'][number]) => ('id' in call ? call.id : undefined)
