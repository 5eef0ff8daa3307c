/** The formats in which requests carry the context of a trace: W3C Trace Context, and B3 as Zipkin defines it. */
import { type HeaderPairs, headersOf } from '@turnpike/core/http'

/** The context that a request carries. */
export interface TraceContext {
  readonly traceId: string
  /** Id of the caller's span. */
  readonly spanId: string
  /** `undefined`: the caller leaves the decision to the receiver. */
  readonly sampled: boolean | undefined
  /** Value of `tracestate`; empty if there is none. */
  readonly state: string
}

export interface Propagation {
  /** Returns the context in the headers; `undefined` if there is none or it is invalid. */
  extract(headers: HeaderPairs): TraceContext | undefined
  /** Replaces the context in the headers. Other headers, such as `baggage`, stay as they are. */
  inject(context: TraceContext, headers: HeaderPairs): void
}

const zeros = /^0+$/

/** Format of version 00: version, trace id, parent id, flags. Later versions may append fields. */
const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** W3C Trace Context, level 1. */
export const w3cPropagation: Propagation = {
  extract(headers) {
    const values = headersOf(headers, 'traceparent')
    // Several lines are as invalid as a wrong one (section 3.2).
    if (values.length !== 1) return undefined
    const [, version, traceId = '', spanId = '', flags = '', rest] =
      traceparent.exec((values[0] as string).trim()) ?? []
    if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined
    if (zeros.test(traceId) || zeros.test(spanId)) return undefined
    const sampled = (Number.parseInt(flags, 16) & 1) === 1
    return { traceId, spanId, sampled, state: headersOf(headers, 'tracestate').join(',') }
  },
  inject({ traceId, spanId, sampled, state }, headers) {
    removeAll(headers, w3cNames)
    headers.push('traceparent', `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`)
    if (state !== '') headers.push('tracestate', state)
  },
}

const w3cNames: ReadonlySet<string> = new Set(['traceparent', 'tracestate'])
const b3Names: ReadonlySet<string> = new Set([
  ...['b3', 'x-b3-traceid', 'x-b3-spanid', 'x-b3-parentspanid', 'x-b3-sampled', 'x-b3-flags'],
])

/** B3: reads one header or several, and writes several. */
export const b3Propagation: Propagation = {
  extract(headers) {
    const of = (name: string) => headersOf(headers, name)[0]?.trim().toLowerCase() ?? ''
    const [traceId = '', spanId = '', sampled = ''] = of('b3').split('-')
    if (isB3(traceId, spanId)) return b3Context(traceId, spanId, sampled)
    const ids = [of('x-b3-traceid'), of('x-b3-spanid')] as const
    if (!isB3(...ids)) return undefined
    return b3Context(...ids, of('x-b3-flags') === '1' ? 'd' : of('x-b3-sampled'))
  },
  inject({ traceId, spanId, sampled }, headers) {
    removeAll(headers, b3Names)
    headers.push('x-b3-traceid', traceId, 'x-b3-spanid', spanId, 'x-b3-sampled', sampled ? '1' : '0')
  },
}

function isB3(traceId: string, spanId: string): boolean {
  return (
    /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/.test(traceId) && /^[0-9a-f]{16}$/.test(spanId) && !zeros.test(traceId + spanId)
  )
}

function b3Context(traceId: string, spanId: string, sampled: string): TraceContext {
  const isSampled = ['1', 'd', 'true'].includes(sampled)
  const decision = isSampled ? true : ['0', 'false'].includes(sampled) ? false : undefined
  return { traceId: traceId.padStart(32, '0'), spanId, sampled: decision, state: '' }
}

function removeAll(headers: HeaderPairs, names: ReadonlySet<string>): void {
  let kept = 0
  for (let i = 0; i < headers.length; i += 2) {
    if (names.has(headers[i] as string)) continue
    if (kept !== i) {
      headers[kept] = headers[i] as string
      headers[kept + 1] = headers[i + 1] as string
    }
    kept += 2
  }
  if (kept < headers.length) headers.length = kept
}
