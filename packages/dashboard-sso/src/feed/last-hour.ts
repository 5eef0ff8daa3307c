/**
 * Requests of the last hour in buckets of one minute, per organisation: numbers, rejections by stage, and a histogram of
 * durations for percentiles. About 40 KiB per organisation; only organisations of the configuration are counted.
 */
import type { RequestRecord } from '@turnpike/core/pipeline'
import type { Clock } from '@turnpike/core/ports'

export interface MinuteSummary {
  /** Start of the minute, Unix ms. */
  readonly at: number
  readonly requests: number
  /** Rejections by the stage that rejected; the gateway itself is `gateway`. */
  readonly rejections: Readonly<Record<string, number>>
  /** Milliseconds from the arrival of a request to the head of its response; 0 if there was no request. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export interface History {
  note(entry: RequestRecord): void
  /** The last 60 minutes, oldest first. `sees`: the organisations to include. */
  of(sees: (orgId: string) => boolean): readonly MinuteSummary[]
}

const minuteMs = 60_000
const minutes = 60
/** More stages than a gateway has, so that plugins with generated names cannot fill the memory. */
const maxStages = 100

/** Upper bounds of the buckets: 0.5 ms to about 80 s, each a fifth wider than the one before it. */
const bounds = Array.from({ length: 66 }, (_, i) => 0.5 * 1.2 ** i)

interface Minute {
  slot: number
  requests: number
  readonly rejections: Map<string, number>
  readonly durations: Uint32Array
}

export function makeHistory(clock: Pick<Clock, 'now'>, orgIds: readonly string[]): History {
  const known = new Set([...orgIds, ''])
  const byOrg = new Map<string, (Minute | undefined)[]>()

  const minuteNow = (orgId: string): Minute => {
    const slot = Math.floor(clock.now() / minuteMs)
    let ring = byOrg.get(orgId)
    if (ring === undefined) {
      ring = new Array<Minute | undefined>(minutes)
      byOrg.set(orgId, ring)
    }
    const held = ring[slot % minutes]
    if (held?.slot === slot) return held
    const fresh = emptyMinute(slot)
    ring[slot % minutes] = fresh
    return fresh
  }

  return {
    note({ orgId, rejection, upstreamAddress, totalMs }) {
      if (!known.has(orgId)) return
      const minute = minuteNow(orgId)
      minute.requests += 1
      const bucket = bucketOf(totalMs)
      minute.durations[bucket] = (minute.durations[bucket] ?? 0) + 1
      if (rejection === undefined || upstreamAddress !== '') return
      const stage = rejection.stage === '' ? 'gateway' : rejection.stage
      const count = minute.rejections.get(stage)
      if (count !== undefined || minute.rejections.size < maxStages) minute.rejections.set(stage, (count ?? 0) + 1)
    },
    of(sees) {
      const newest = Math.floor(clock.now() / minuteMs)
      const seen = [...byOrg].flatMap(([orgId, ring]) => (sees(orgId) ? [ring] : []))
      return Array.from({ length: minutes }, (_, i) => {
        const slot = newest - minutes + 1 + i
        const parts = seen.map((ring) => ring[((slot % minutes) + minutes) % minutes])
        return summaryOf(
          slot,
          parts.filter((part) => part?.slot === slot).filter((part) => part !== undefined),
        )
      })
    },
  }
}

function emptyMinute(slot: number): Minute {
  return { slot, requests: 0, rejections: new Map(), durations: new Uint32Array(bounds.length + 1) }
}

/** Index of the first bucket whose bound is not below the duration. */
function bucketOf(ms: number): number {
  let low = 0
  let high = bounds.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((bounds[middle] as number) < ms) low = middle + 1
    else high = middle
  }
  return low
}

function summaryOf(slot: number, parts: readonly Minute[]): MinuteSummary {
  const sum = emptyMinute(slot)
  for (const { requests, rejections, durations } of parts) {
    sum.requests += requests
    for (const [stage, count] of rejections) sum.rejections.set(stage, (sum.rejections.get(stage) ?? 0) + count)
    for (const [i, count] of durations.entries()) sum.durations[i] = (sum.durations[i] ?? 0) + count
  }
  const { requests, durations } = sum
  const at = (share: number) => percentile(durations, requests, share)
  const rejections = Object.fromEntries(sum.rejections)
  return { at: slot * minuteMs, requests, rejections, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** The upper bound of the bucket that contains the percentile: at most a fifth too high. */
function percentile(durations: Uint32Array, total: number, share: number): number {
  if (total === 0) return 0
  const wanted = Math.ceil(total * share)
  let seen = 0
  for (const [i, count] of durations.entries()) {
    seen += count
    if (seen >= wanted) return Math.round((bounds[i] ?? (bounds.at(-1) as number)) * 10) / 10
  }
  return 0
}
