/** Runs a request in its span, and ends the span with the response. */
import type { GatewayResponse } from '../../http/messages.ts'
import { isPromise, type Maybe } from '../../lib/maybe.ts'
import { makeTrace, type Trace, type WatchedOrigin } from '../contract/stage-trace.ts'
import type { RequestSpan, Tracing } from '../contract/tracing.ts'

/** `run` gets a trace if the span is recorded or the watcher wants the request. */
export function withSpan(
  tracing: Tracing,
  span: RequestSpan,
  origin: WatchedOrigin,
  run: (trace: Trace | undefined, span: RequestSpan) => Maybe<GatewayResponse>,
): Maybe<GatewayResponse> {
  if (!span.isRecorded && !origin.isWanted) return ended(run(undefined, span), span)
  const trace = makeTrace(false, tracing.nowMicros, origin)
  if (!span.isRecorded) return ended(run(trace, span), span)
  const response = tracing.within === undefined ? run(trace, span) : tracing.within(span, () => run(trace, span))
  const end = (made: GatewayResponse) => span.end(made, trace)
  return isPromise(response) ? response.then(end) : end(response)
}

function ended(response: Maybe<GatewayResponse>, span: RequestSpan): Maybe<GatewayResponse> {
  // Another promise for each request would cost more than the rest of a span that is not recorded.
  if (!span.needsEnd) return response
  return isPromise(response) ? response.then((made) => span.end(made, undefined)) : span.end(response, undefined)
}
