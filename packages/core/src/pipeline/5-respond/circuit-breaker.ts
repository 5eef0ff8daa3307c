/**
 * Rejects requests for a path whose upstream failed too often. For other requests, `forward` reports the result to the
 * breaker (docs/reference/upstreams.md#circuit-breaker).
 */

import { rejections } from '../../http/rejections.ts'
import type { CircuitBreaker } from '../../observability/circuit-breaker/breaker.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { makeRuleStage } from '../shared/match-path-rules.ts'

export const makeCircuitBreaker: MakeStage = (compileContext) => {
  const { clock } = compileContext.services
  return makeRuleStage(
    compileContext.version.paths.circuitBreakers,
    compileContext,
    (rule) => leaseBreaker(rule, compileContext),
    (breaker, context) => {
      if (context.trace?.dry) return undefined
      const admission = breaker.admit(clock.now())
      if (admission === 'rejected') return rejections.breakerOpen
      context.settleBreaker = (result) => breaker.settle(admission, result, clock.now())
      return undefined
    },
  )
}

function leaseBreaker(
  rule: CompileContext['version']['paths']['circuitBreakers'][number],
  { api, version, services }: CompileContext,
): CircuitBreaker | undefined {
  const lease = services.breakers?.lease({
    apiId: api.id,
    version: version.name,
    path: rule.path,
    method: rule.method,
    threshold: rule.thresholdPercent,
    samples: rule.samples,
    closesAfterMs: rule.returnToServiceAfter * 1000,
    halfOpens: !rule.disableHalfOpenState,
  })
  if (lease !== undefined) services.onRelease?.(() => lease.release())
  return lease?.breaker
}
