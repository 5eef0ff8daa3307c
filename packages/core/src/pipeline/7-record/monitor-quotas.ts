/**
 * Fires an event when a key or an organisation has used a configured share of its quota
 * (docs/reference/events.md#quota-monitor).
 */
import { decideShare } from '../../observability/events/quota-monitor.ts'
import type { QuotaResult } from '../../ports/quota.ts'
import type { Session } from '../../ports/session.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeRecordStage } from '../contract/stage.ts'
import { isExplained } from '../contract/stage-trace.ts'

/** A quota that this request consumed, with its owner. */
interface Counted {
  readonly spent: QuotaResult
  readonly max: number
  readonly session: Session
  readonly key: string
  readonly keyLogName: string
}

export const makeMonitorQuotas: MakeRecordStage = ({ api, services }) => {
  const { events, clock } = services
  const monitor = events?.monitor
  if (events === undefined || monitor === undefined || !events.hasHandler('TriggerExceeded', api)) return null
  const keys = monitor.userKeys && api.authModes.length > 0
  const orgs = monitor.orgKeys && services.settings.limits.enforceOrgQuotas && api.orgId !== ''
  if (!keys && !orgs) return null

  const look = ({ spent, max, session, key, keyLogName }: Counted) => {
    const now = clock.now()
    const passed = decideShare(spent, max, monitor.globalLimit, session.monitor.triggerLimits, now)
    if (passed === undefined) return
    events.fire({
      name: 'TriggerExceeded',
      api,
      at: now,
      facts: {
        about: 'trigger',
        message: 'Quota trigger reached',
        orgId: session.orgId,
        key,
        keyLogName,
        triggerLimit: passed.limit,
        usagePercentage: passed.usage,
      },
    })
  }

  return {
    run(context) {
      if (isExplained(context.trace)) return
      const ofKey = keys ? countedForKey(context) : undefined
      if (ofKey !== undefined) look(ofKey)
      const ofOrg = orgs ? countedForOrg(context) : undefined
      if (ofOrg !== undefined) look(ofOrg)
    },
  }
}

function countedForKey({ quota, access, key, credential }: RequestContext): Counted | undefined {
  const max = access?.quota?.max
  if (quota === undefined || max === undefined || key === undefined) return undefined
  return { spent: quota, max, session: key.session, key: credential ?? key.keyName, keyLogName: key.logName }
}

function countedForOrg({ orgQuota, org, api }: RequestContext): Counted | undefined {
  const max = org?.counter.quota?.max
  if (orgQuota === undefined || max === undefined || org === undefined) return undefined
  return { spent: orgQuota, max, session: org.session, key: api.orgId, keyLogName: api.orgId }
}
