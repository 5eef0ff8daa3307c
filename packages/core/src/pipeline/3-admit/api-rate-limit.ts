/**
 * The rate of the API over all callers, or of the path where one of its own is set. Keyless APIs and ignored paths
 * are counted too. Source: spec/sessions-and-limits.md 6, 7.1 step 11.
 *
 * The counter's name holds rate and period: a definition whose limit changed starts anew, as recorded, and one that
 * was edited elsewhere keeps its count (design.md "Reload").
 */

import { ordinaryRules } from '../../definition/mcp/primitive.ts'
import { rejections } from '../../http/errors.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { RateTaken } from '../../ports/rate-limit.ts'
import type { CountedRate } from '../../session/grants/grant.ts'
import { apiRateName } from '../../session/names/counter-names.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome, Scope } from '../contract/stage.ts'
import { compilePathRules, type FindRule } from '../shared/match-path-rules.ts'

const unlimited = 'unlimited'

export const makeApiRateLimit: MakeStage = (scope) => {
  const { api, tools } = scope
  if (api.document.disableRateLimit) return null
  const global = globalRate(scope)
  const findPathRate = pathRates(scope)
  if (global === undefined && findPathRate === null) return null
  const { counters } = tools.store

  const settle = (context: RequestContext, rate: CountedRate, taken: RateTaken): Outcome => {
    // The rate of the key wins in the headers (spec/sessions-and-limits.md 5.1).
    if (context.rate === undefined || !taken.allowed) {
      context.rate = taken
      context.rateLimit = rate.limit
    }
    context.trace?.note(`rate ${rate.name}: ${taken.remaining} of ${rate.limit.rate} in ${rate.limit.per} s left`)
    return taken.allowed ? undefined : rejections.apiRateExceeded
  }

  return {
    name: 'api-rate-limit',
    phase: '3-admit',
    run(context): Maybe<Outcome> {
      if (context.skipsLimits) return undefined
      const rate = findPathRate?.(context) ?? global
      if (rate === undefined || rate === unlimited) return undefined
      const taken = counters.take(rate.name, rate.limit, context.trace?.dry ? 0 : 1)
      return taken instanceof Promise
        ? when(taken, (result) => settle(context, rate, result))
        : settle(context, rate, taken)
    },
  }
}

/** The rate of an API, or of one of its paths (`rule` is `METHOD:path`), over all callers. */
export function countedRate({ api, tools }: Scope, rate: number, per: number, rule: string): CountedRate {
  const { algorithm, rollingOneLess } = tools.settings.limits
  const name = apiRateName(api, rule, tools.settings.keys.hashKeys)
  return {
    name: algorithm === 'local' ? `${name}:${rate}/${per}` : name,
    limit: { algorithm, rate, per, smoothing: undefined, oneLess: rollingOneLess },
  }
}

function globalRate(scope: Scope): CountedRate | undefined {
  const { rate, per, disabled } = scope.api.document.globalRateLimit
  return disabled || rate <= 0 ? undefined : countedRate(scope, rate, per, '')
}

/** Rates of paths; a negative one lifts the API's rate from its path. `null`: there are none. */
function pathRates(scope: Scope): FindRule<CountedRate | typeof unlimited> | null {
  const listed = ordinaryRules(scope.version.paths.rateLimit, scope.api.document)
  const rules = listed.filter(({ rate, per }) => rate !== 0 && per > 0)
  return compilePathRules(rules, scope, ({ rate, per, method, path }) =>
    rate < 0 ? unlimited : countedRate(scope, rate, per, `${method}:${path}`),
  )
}
