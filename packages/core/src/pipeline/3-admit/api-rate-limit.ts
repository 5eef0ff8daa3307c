/**
 * The rate limit of the API over all callers, or the one of the path if the path has its own. Requests to keyless APIs
 * and ignored paths count too.
 * Source: docs/reference/rate-limits.md#rate-limit-scopes, docs/reference/request-checks.md#order-of-checks.
 *
 * Rate and period are the generation of the counter: a change of the limit starts a new window, as in the original
 * gateway, and any other change of the definition keeps the count.
 */

import { ordinaryRules } from '../../definition/mcp/primitive.ts'
import { rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { RateResult } from '../../ports/rate-limit.ts'
import { type Counter, counterKey } from '../../ports/store.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { noteRate } from '../shared/limit-notes.ts'
import { compilePathRules, type FindRule } from '../shared/match-path-rules.ts'

const unlimited = 'unlimited'

export const makeApiRateLimit: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (api.document.disableRateLimit) return null
  const global = globalRate(compileContext)
  const findPathRate = pathRates(compileContext)
  if (global === undefined && findPathRate === null) return null
  const { counters } = services.store

  const settle = (context: RequestContext, counter: Counter, rate: RateResult | undefined): Outcome => {
    if (rate === undefined) return undefined
    // The rate of the key has precedence in the headers (docs/reference/quotas.md#rate-limit-headers).
    if (context.rate === undefined || !rate.allowed) {
      context.rate = rate
      context.rateLimit = counter.rate
    }
    if (context.trace !== undefined) noteRate(context.trace, counter, rate, services.settings.keys)
    return rate.allowed ? undefined : rejections.apiRateExceeded
  }

  return {
    run(context): Maybe<Outcome> {
      if (context.skipsLimits) return undefined
      const counter = findPathRate?.(context) ?? global
      if (counter === undefined || counter === unlimited) return undefined
      return when(counters.consume(counter, context.trace?.dry ? 0 : 1), ({ rate }) => settle(context, counter, rate))
    },
  }
}

/** The counter of an API, or of one of its paths (`rule` is `METHOD:path`), over all callers. */
export function apiCounter({ api, services }: CompileContext, rate: number, per: number, rule: string): Counter {
  const { algorithm, rollingOneLess } = services.settings.limits
  const id = { subject: api.orgId + api.id, kind: 'api', scope: '', endpoint: rule } as const
  return {
    ...id,
    id: counterKey(id),
    generation: `${rate}/${per}`,
    rate: { algorithm, rate, per, smoothing: undefined, oneLess: rollingOneLess },
    quota: undefined,
  }
}

function globalRate(compileContext: CompileContext): Counter | undefined {
  const { rate, per, disabled } = compileContext.api.document.globalRateLimit
  return disabled || rate <= 0 ? undefined : apiCounter(compileContext, rate, per, '')
}

/** Rates of single paths; a negative rate exempts its path from the API's rate. `null`: no path has a rate. */
function pathRates(compileContext: CompileContext): FindRule<Counter | typeof unlimited> | null {
  const listed = ordinaryRules(compileContext.version.paths.rateLimit, compileContext.api.document)
  const rules = listed.filter(({ rate, per }) => rate !== 0 && per > 0)
  return compilePathRules(
    rules,
    compileContext,
    ({ rate, per, method, path }) =>
      rate < 0 ? unlimited : apiCounter(compileContext, rate, per, `${method}:${path}`),
    { coversHead: true },
  )
}
