/**
 * How long a response is cached if the definition and the upstream's control headers decide.
 * Source: docs/reference/response-cache.md#cached-responses, docs/reference/response-cache.md#upstream-control.
 */
import { type HeaderPairs, headerOf } from '../http/headers.ts'
import type { Millis } from '../ports/clock.ts'

/** The cache settings that apply to one request. */
export interface CacheRule {
  /** 0: nothing is cached, unless the upstream names a lifetime. */
  readonly timeoutSeconds: number
  /** Statuses that are cached; `undefined`: all. */
  readonly codes: ReadonlySet<number> | undefined
}

/** Names of the headers, in lower case, with which the upstream controls the cache. */
export interface UpstreamControl {
  /** With any value, the response is cached regardless of its status. */
  readonly store: string
  /** The lifetime in seconds. A value that is not a whole number is ignored. */
  readonly lifetime: string
}

/**
 * The lifetime of a response in seconds; 0 or less: it is not cached.
 * `control` is set if the upstream may control the cache.
 */
export function decideLifetime(
  status: number,
  headers: HeaderPairs,
  rule: CacheRule,
  control: UpstreamControl | undefined,
): number {
  // Interim responses, and the switch to another protocol.
  if (status < 200) return 0
  const listed = rule.codes === undefined || rule.codes.has(status)
  if (control === undefined) return listed ? rule.timeoutSeconds : 0
  const stored = listed || (headerOf(headers, control.store) ?? '') !== ''
  if (!stored) return 0
  const lifetime = headerOf(headers, control.lifetime)
  return lifetime !== undefined && /^[+-]?\d{1,15}$/.test(lifetime) ? Number(lifetime) : rule.timeoutSeconds
}

/**
 * Milliseconds until a lifetime ends. It ends at a whole second of the clock, so a lifetime of n seconds lasts between
 * n-1 and n seconds. Source: docs/reference/response-cache.md#cached-responses.
 */
export function lifetimeMs(now: Millis, lifetimeSeconds: number): Millis {
  return (Math.floor(now / 1000) + lifetimeSeconds) * 1000 - now
}

/** Request headers for a part of a representation, or for a conditional response. */
const conditionalHeaders: ReadonlySet<string> = new Set([
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
])

/**
 * Whether the response results from a range or a condition of this request. Those headers are not part of the cache
 * key, so another client would get a response without the complete body.
 */
export function isConditionalResponse(status: number, request: HeaderPairs): boolean {
  if (status !== 206 && status !== 304 && status !== 412 && status !== 416) return false
  for (let i = 0; i < request.length; i += 2) if (conditionalHeaders.has(request[i] as string)) return true
  return false
}
