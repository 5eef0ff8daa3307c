/** Traces that show whether two gateways have the same limit. */
import { makeRequest, type NamedTrace, type TraceStep } from '@turnpike/exchange'
import { overflowOf } from '../attacks/attack.ts'
import type { RateLimit } from '../models/model.ts'

/** Between an instant at which a limit renews and the next request, so that clocks and delays do not matter. */
const marginMs = 50

/** Traces of one client each, which send the request of the URL itself. */
export function limitTraces(limit: RateLimit): readonly NamedTrace[] {
  const { count, periodMs } = limit
  const half = Math.ceil(count / 2)
  const all = overflowOf(limit)
  return [
    { id: 'more requests than the limit', trace: burst(all) },
    {
      id: 'more requests than the limit, again after the period',
      trace: [...burst(all), ...burst(all, periodMs + marginMs)],
    },
    {
      id: 'half of the limit, and more after 60 % of the period',
      trace: [...burst(half), ...burst(all, Math.round(periodMs * 0.6))],
    },
    {
      id: 'half of the limit, more after 60 % of the period, and again after it',
      trace: [...burst(half), ...burst(all, Math.round(periodMs * 0.6)), ...burst(all, Math.round(periodMs * 0.55))],
    },
  ]
}

const request = makeRequest('')

function burst(count: number, waitMs = 0): readonly TraceStep[] {
  return Array.from({ length: count }, (_, i) => ({ waitMs: i === 0 ? waitMs : 0, request }))
}

/** The sum of all pauses of a trace. */
export function pausesOf({ trace }: NamedTrace): number {
  return trace.reduce((sum, { waitMs }) => sum + waitMs, 0)
}
