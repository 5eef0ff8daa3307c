/** The quota of the key: counted after its rate, whatever comes of the request later. Source: 5, 7.1 step 10. */
import { rejections } from '../../http/errors.ts'
import { when } from '../../lib/maybe.ts'
import type { QuotaSpent } from '../../ports/quota.ts'
import type { SessionStore } from '../../ports/store.ts'
import { scopeOfQuotaCounter } from '../../session/names/counter-names.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'

export const makeQuota: MakeStage = ({ api, tools }) => {
  if (api.authModes.length === 0 || api.document.disableQuota) return null
  const { counters, sessions } = tools.store

  const settle = (context: RequestContext, spent: QuotaSpent): Outcome => {
    context.quota = spent
    if (sessions.noteQuota !== undefined) noteInSession(sessions, context, spent)
    return spent.allowed ? undefined : rejections.quotaExceeded
  }

  return {
    name: 'quota',
    phase: '3-admit',
    run(context) {
      const { grant } = context
      const quota = grant?.quota
      if (grant === undefined || quota === undefined || context.skipsLimits) return undefined
      if (context.quotaAhead !== undefined) return settle(context, context.quotaAhead)
      const spent = counters.spend(quota.name, quota.limit, context.trace?.dry ? 0 : 1, grant.places, grant.ticket)
      if (context.trace !== undefined) noteQuota(context, quota, spent)
      return spent instanceof Promise ? when(spent, (result) => settle(context, result)) : settle(context, spent)
    },
  }
}

function noteQuota(
  { trace }: RequestContext,
  { name, limit }: { readonly name: string; readonly limit: { readonly max: number } },
  spent: QuotaSpent | Promise<QuotaSpent>,
): void {
  if (spent instanceof Promise) trace?.note(`quota ${name}: asked the store`)
  else trace?.note(`quota ${name}: ${spent.remaining} of ${limit.max} left`)
}

function noteInSession(sessions: SessionStore, { key, grant, trace }: RequestContext, spent: QuotaSpent): void {
  if (key === undefined || grant?.quota === undefined || trace?.dry) return
  const scope = scopeOfQuotaCounter(grant.quota.name, key.storedName)
  if (scope !== undefined) sessions.noteQuota?.(key.storedName, scope, spent)
}
