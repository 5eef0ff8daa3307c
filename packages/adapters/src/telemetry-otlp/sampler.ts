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
const range = 2 ** (4 * digits)

/**
 * The ratio is decided by random bits of the trace id (W3C Trace Context level 2 says which), so that all services with
 * the same ratio record the same traces. 52 of the 56 bits are as many as a number holds.
 */
export function makeSampler({ type, rate, parentBased }: Sampling): Sampler {
  const threshold = (1 - rate) * range
  const own = (traceId: string) =>
    type === 'AlwaysOn' ||
    (type === 'TraceIDRatioBased' && Number.parseInt(traceId.slice(18, 18 + digits), 16) >= threshold)
  return (traceId, bySender) => (parentBased ? (bySender ?? own(traceId)) : own(traceId))
}
