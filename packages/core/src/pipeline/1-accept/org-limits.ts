/**
 * Rate and quota of the organisation, over all its keys and APIs. Counts every request that comes this far, also
 * those that fail later. Source: spec/sessions-and-limits.md 3.
 */
import { rejections } from '../../errors.ts'
import { type Maybe, when } from '../../maybe.ts'
import type { QuotaSpent } from '../../quota/quota.ts'
import type { RequestContext } from '../context.ts'
import type { MakeStage, Outcome } from '../stage.ts'

export const makeOrgLimits: MakeStage = ({ api, tools }) => {
  const { settings, store } = tools
  if (!settings.limits.enforceOrgQuotas || api.orgId === '') return null

  const spend = (context: RequestContext): Maybe<Outcome> => {
    const quota = context.org?.quota
    if (quota === undefined) return undefined
    const spent = store.counters.spend(quota.name, quota.limit, context.trace?.dry ? 0 : 1)
    const decide = (result: QuotaSpent) => {
      context.trace?.note(`quota ${quota.name}: ${result.remaining} of ${quota.limit.max} left`)
      return result.allowed ? undefined : rejections.orgQuota
    }
    return spent instanceof Promise ? when(spent, decide) : decide(spent)
  }

  return {
    name: 'org-limits',
    phase: '1-accept',
    run(context) {
      const { org } = context
      if (org === undefined) return undefined
      if (!org.opens(api.id)) return rejections.orgRate
      const { rate } = org
      if (rate === undefined) return spend(context)
      return when(store.counters.take(rate.name, rate.limit, context.trace?.dry ? 0 : 1), (taken) => {
        context.trace?.note(`rate ${rate.name}: ${taken.remaining} of ${rate.limit.rate} left`)
        return taken.allowed ? spend(context) : rejections.orgRate
      })
    },
  }
}
