/** Numbers of each API in the last minute: twelve buckets of five seconds, a few hundred bytes per API. */
import type { RequestRecord } from '@turnpike/core/pipeline'
import type { Clock } from '@turnpike/core/ports'

export interface MinuteNumbers {
  readonly requests: number
  /** Rejected by the gateway, before a request to an upstream. */
  readonly rejected: number
  /** Requests that went to an upstream. */
  readonly forwarded: number
  /** Requests to an upstream that got a status of 500 or more. */
  readonly upstreamErrors: number
  /** Mean time of the upstream, ms; 0: it was not called. */
  readonly upstreamMs: number
  readonly cacheHits: number
  readonly cacheMisses: number
}

export interface Tally {
  note(entry: RequestRecord): void
  of(apiId: string): MinuteNumbers
}

const bucketMs = 5000
const bucketCount = 12
type Counts = Record<keyof MinuteNumbers, number>

interface Bucket {
  slot: number
  readonly counts: Counts
}

const noCounts = (): Counts => ({
  requests: 0,
  rejected: 0,
  forwarded: 0,
  upstreamErrors: 0,
  upstreamMs: 0,
  cacheHits: 0,
  cacheMisses: 0,
})

const fields = Object.keys(noCounts()) as (keyof Counts)[]

export function makeTally(clock: Pick<Clock, 'now'>): Tally {
  const byApi = new Map<string, Bucket[]>()

  const bucketNow = (apiId: string): Counts => {
    const slot = Math.floor(clock.now() / bucketMs)
    let buckets = byApi.get(apiId)
    if (buckets === undefined) {
      buckets = []
      byApi.set(apiId, buckets)
    }
    const at = slot % bucketCount
    const held = buckets[at]
    if (held?.slot === slot) return held.counts
    const fresh = { slot, counts: noCounts() }
    buckets[at] = fresh
    return fresh.counts
  }

  return {
    note(entry) {
      const counts = bucketNow(entry.apiId)
      const forwarded = entry.upstreamAddress !== ''
      counts.requests += 1
      if (forwarded) {
        counts.forwarded += 1
        counts.upstreamMs += entry.upstreamMs
        if (entry.status >= 500) counts.upstreamErrors += 1
      } else if (entry.rejection !== undefined) counts.rejected += 1
      if (entry.cache === 'hit') counts.cacheHits += 1
      else if (entry.cache === 'miss') counts.cacheMisses += 1
    },
    of(apiId) {
      const oldest = Math.floor(clock.now() / bucketMs) - bucketCount + 1
      const sum = noCounts()
      for (const bucket of byApi.get(apiId) ?? []) {
        if (bucket === undefined || bucket.slot < oldest) continue
        for (const field of fields) sum[field] += bucket.counts[field]
      }
      return { ...sum, upstreamMs: sum.forwarded === 0 ? 0 : sum.upstreamMs / sum.forwarded }
    },
  }
}

/** Sums the numbers of several APIs. */
export function addNumbers(all: readonly MinuteNumbers[]): MinuteNumbers {
  const sum = noCounts()
  for (const one of all) {
    for (const field of fields) sum[field] += field === 'upstreamMs' ? one.upstreamMs * one.forwarded : one[field]
  }
  return { ...sum, upstreamMs: sum.forwarded === 0 ? 0 : sum.upstreamMs / sum.forwarded }
}
