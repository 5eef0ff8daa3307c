/**
 * `GET {listen path}svc/rate-limits/`: returns the limits of the caller's key and its remaining quota without consuming
 * any. The request passes the stages that identify the caller and check its access
 * (docs/reference/request-pipeline.md#rate-limits-endpoint).
 */
import { serialiseRateLimits } from '../../http/generated/serialise-rate-limits.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { when } from '../../lib/maybe.ts'
import { unixSeconds } from '../../lib/text/time.ts'
import type { QuotaState } from '../../ports/quota.ts'
import { type Session, sessionShape } from '../../ports/session.ts'
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
    renderRejection: chain.renderRejection,
  }
}

function makeShowLimits({ store }: StageServices): Stage {
  return {
    name: 'show-limits',
    phase: '5-respond',
    run(context) {
      const { key, counter } = context
      if (key === undefined || counter === undefined) return show(zeroSession, undefined)
      const { session } = key
      if (session.quotaMax <= 0) return show(session, undefined)
      // The key's own quota: another scope belongs to the entry of an API.
      const own = { ...counter, scope: '', endpoint: '' }
      return when(store.counters.readQuota(own), (state) => show(session, state))
    },
  }
}

const zeroSession = sessionShape.zero()

/** Shows the numbers of the session itself, not those of its access right on the API. */
function show(session: Session, state: QuotaState | undefined): GatewayResponse {
  const { quotaMax, quotaRemaining, quotaRenews, rate, per } = session
  const limits = {
    quota: {
      quota_max: quotaMax,
      quota_remaining: state === undefined ? quotaRemaining : Math.max(0, quotaMax - state.used),
      quota_renews: state?.renewsAt === undefined ? quotaRenews : unixSeconds(state.renewsAt),
    },
    rate_limit: { requests: rate, per_unit: per },
  }
  return { status: 200, headers: ['content-type', 'application/json'], body: `${serialiseRateLimits(limits)}\n` }
}
