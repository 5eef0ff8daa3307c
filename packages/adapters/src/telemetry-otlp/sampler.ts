/** Decides which traces are recorded. */

export interface Sampling {
  readonly type: 'AlwaysOn' | 'AlwaysOff' | 'TraceIDRatioBased'
  /** Share of the traces, from 0 to 1; only for `TraceIDRatioBased`. */
  readonly rate: number
  /** Traces of callers keep the decision of the caller. */
  readonly parentBased: boolean
}

/** `bySender`: the decision of the caller; `undefined` if the request begins a trace or leaves the decision open. */
export type Sampler = (traceId: string, bySender: boolean | undefined) => boolean

const digits = 13

export function makeSampler({ type, rate, parentBased }: Sampling): Sampler {
  const own = makeRatio(type === 'AlwaysOn' ? 1 : type === 'AlwaysOff' ? 0 : rate)
  return (traceId, bySender) => (parentBased ? (bySender ?? own(traceId)) : own(traceId))
}

/**
 * The ratio is decided by random bits of the trace id (W3C Trace Context level 2 says which), so that all services with
 * the same ratio record the same traces. 52 of the 56 bits are as many as a number holds. Texts of equal length and case
 * compare like the numbers that they show.
 */
function makeRatio(rate: number): (traceId: string) => boolean {
  if (rate <= 0) return () => false
  const threshold = Math.ceil((1 - rate) * 2 ** (4 * digits))
  const lowest = threshold.toString(16).padStart(digits, '0')
  // A share too small for the digits leaves none.
  if (lowest.length > digits) return () => false
  return (traceId) => traceId.slice(18, 18 + digits) >= lowest
}
