/**
 * Chains whose stages report to the trace of the request: for `turnpike explain`, the dashboard and recorded spans. They
 * are separate chains, so that other requests have no overhead.
 */
import type { GatewayResponse } from '../../http/messages.ts'
import type { Rejection } from '../../http/rejections.ts'
import { isPromise, type Maybe } from '../../lib/maybe.ts'
import type { Outcome, ResponseStage, Stage } from '../contract/stage.ts'
import type { StageEnd, Trace } from '../contract/stage-trace.ts'

/** The part of a chain that a trace sees. */
interface TracedParts {
  readonly stages: readonly Stage[]
  readonly responses: readonly ResponseStage[]
}

/**
 * Made at the first traced request of a chain and kept with it: objects made per request would have hidden classes of
 * their own (docs/profiling.md#hidden-classes), which cost more than the rest of the trace.
 */
const tracedChains = new WeakMap<TracedParts, TracedParts>()

export function tracedChainOf<C extends TracedParts>(chain: C): C {
  const known = tracedChains.get(chain) as C | undefined
  if (known !== undefined) return known
  const made = { ...chain, stages: chain.stages.map(tracedStage), responses: chain.responses.map(tracedResponseStage) }
  tracedChains.set(chain, made)
  return made
}

function tracedStage(stage: Stage): Stage {
  const { name, phase } = stage
  return {
    name,
    phase,
    run(context) {
      const { trace } = context
      if (trace === undefined) return stage.run(context)
      trace.enter(name, phase)
      return runReported(trace, () => stage.run(context), verdictOf, endOf)
    },
  }
}

function tracedResponseStage(stage: ResponseStage): ResponseStage {
  const { name, phase } = stage
  return {
    name,
    phase,
    run(context, response) {
      const { trace } = context
      if (trace === undefined) return stage.run(context, response)
      trace.enter(name, phase)
      return runReported(trace, () => stage.run(context, response), shaped, noEnd)
    },
  }
}

/** Runs a stage and reports its end to the trace. */
function runReported<T extends Outcome>(
  trace: Trace,
  run: () => Maybe<T>,
  toVerdict: (result: T) => string,
  toEnd: (result: T) => StageEnd | undefined,
): Maybe<T> {
  const leave = (result: T) => {
    trace.leave(toVerdict(result), toEnd(result))
    return result
  }
  const fail = (cause: unknown): never => {
    trace.leave('fails')
    throw cause
  }
  try {
    const result = run()
    return isPromise(result) ? result.then(leave, fail) : leave(result)
  } catch (cause) {
    return fail(cause)
  }
}

const shaped = (_: GatewayResponse | Rejection) => 'shaped'
const noEnd = () => undefined

function verdictOf(outcome: Outcome): string {
  if (outcome === undefined) return 'passes'
  return 'kind' in outcome ? `rejects: ${outcome.status} ${outcome.message}` : `responds: ${outcome.status}`
}

function endOf(outcome: Outcome): StageEnd | undefined {
  if (outcome === undefined) return undefined
  const { status } = outcome
  return 'kind' in outcome ? { status, message: outcome.message, code: outcome.code } : { status }
}
