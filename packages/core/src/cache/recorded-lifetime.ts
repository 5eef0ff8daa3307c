/**
 * How long an answer is kept where the definition and the upstream's control headers decide.
 * Source: spec/apis-and-pipeline.md 5.
 */
import { type HeaderPairs, headerOf } from '../http/headers.ts'
import type { Millis } from '../ports/clock.ts'

/** What a definition says about the answers of one path. */
export interface CacheRule {
  /** 0: nothing is kept, unless the upstream names a lifetime. */
  readonly timeoutSeconds: number
  /** Statuses that are kept; `undefined`: all. */
  readonly codes: ReadonlySet<number> | undefined
}

/** Headers, in lower case, by which the upstream steers the cache. */
export interface UpstreamControl {
  /** Any value: the answer is kept whatever its status. */
  readonly keep: string
  /** Seconds that it is kept; what is no whole number changes nothing. */
  readonly lifetime: string
}

/** Seconds that the answer is kept; 0 or less: not at all. `control`: where the upstream may steer. */
export function decideLifetime(
  status: number,
  headers: HeaderPairs,
  rule: CacheRule,
  control: UpstreamControl | undefined,
): number {
  // An interim answer, or another protocol from here on.
  if (status < 200) return 0
  const listed = rule.codes === undefined || rule.codes.has(status)
  if (control === undefined) return listed ? rule.timeoutSeconds : 0
  const kept = listed || (headerOf(headers, control.keep) ?? '') !== ''
  if (!kept) return 0
  const told = headerOf(headers, control.lifetime)
  return told !== undefined && /^[+-]?\d{1,15}$/.test(told) ? Number(told) : rule.timeoutSeconds
}

/** Time until the whole second in which a lifetime ends: between n-1 and n seconds, as recorded. */
export function untilWholeSecond(now: Millis, lifetimeSeconds: number): Millis {
  return (Math.floor(now / 1000) + lifetimeSeconds) * 1000 - now
}

/** Header names of requests that ask for a part of an answer, or for it on a condition. */
const conditions: ReadonlySet<string> = new Set([
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
])

/**
 * Whether the answer fits nobody but this request: a part that it asked for, or the outcome of a condition it set.
 * Such headers are no part of the name, so others would get an answer without its body.
 */
export function isAnswerToCondition(status: number, request: HeaderPairs): boolean {
  if (status !== 206 && status !== 304 && status !== 412 && status !== 416) return false
  for (let i = 0; i < request.length; i += 2) if (conditions.has(request[i] as string)) return true
  return false
}
