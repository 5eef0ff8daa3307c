/**
 * `GET {listen path}svc/rate-limits/`: returns the limits of the caller's key and its remaining quota without consuming
 * any. The request passes the stages that identify the caller and check its access
 * (docs/reference/request-pipeline.md#rate-limits-endpoint).
 */
import { serialiseRateLimits } from '../../http/generated/serialisers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { when } from '../../lib/maybe.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { Stage } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import type { Chain } from './chain.ts'

/** Makes the chain from that of a version, without the stages that count, shape and forward. */
export function limitsChainOf(chain: Chain, services: StageServices): Chain {
  const stages = chain.stages.filter(({ phase, runsForLimits }) => phase === '2-identify' || runsForLimits)
  return {
    stages: [...stages, makeShowLimits(services)],
    responses: [],
    records: chain.records,
    services: chain.services,
  }
}

function makeShowLimits({ store }: StageServices): Stage {
  return {
    name: 'show-limits',
    phase: '5-answer',
    run(context) {
      const { counter } = context
      if (counter?.quota === undefined) return show(context, undefined)
      // Without the rate: an exhausted rate would hide the quota.
      return when(store.counters.consume({ ...counter, rate: undefined }, 0), ({ quota }) => show(context, quota))
    },
  }
}

/** Shows the limits of the access rights entry of the API if it has some, otherwise those of the session. */
function show(
  { key, access }: RequestContext,
  state: { readonly remaining: number; readonly renewsAt: number | undefined } | undefined,
): GatewayResponse {
  const session = key?.session
  const renewsAt = state?.renewsAt
  const limits = {
    quota: {
      quota_max: access?.shownQuotaMax ?? 0,
      quota_remaining: state?.remaining ?? session?.quotaRemaining ?? 0,
      quota_renews:
        renewsAt === undefined ? (access?.shownQuotaRenews ?? key?.quotaRenews ?? 0) : Math.floor(renewsAt / 1000),
    },
    rate_limit: {
      requests: access?.rate?.rate ?? session?.rate ?? 0,
      per_unit: access?.rate?.per ?? session?.per ?? 0,
    },
  }
  return { status: 200, headers: ['content-type', 'application/json'], body: `${serialiseRateLimits(limits)}\n` }
}
