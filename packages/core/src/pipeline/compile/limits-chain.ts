/**
 * `GET {listen path}svc/rate-limits/`: what the key's limits are and what is left of its quota. It goes through the
 * stages of an ordinary request that say whose it is and whether it may ask, and spends nothing.
 * Source: spec/apis-and-pipeline.md 3.
 */
import { serialiseRateLimits } from '../../http/generated/serialisers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { when } from '../../lib/maybe.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { Stage } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import type { Chain } from './chain.ts'

/** The chain of a version without the stages that count, shape and forward. */
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
      // Without its rate, which may be used up and then hides the quota.
      return when(store.counters.consume({ ...counter, rate: undefined }, 0), ({ quota }) => show(context, quota))
    },
  }
}

/** Limits of the API entry where it has some, else those of the session, as in the headers. */
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
