/** The quota that headers and variables report (docs/reference/quotas.md#rate-limit-headers). */
import { unixSeconds } from '../../lib/text/time.ts'
import type { StoredQuota } from '../../session/api-access.ts'
import type { RequestContext } from '../contract/request-context.ts'

/**
 * Returns the counted quota of this request, or the stored numbers if nothing was counted. `undefined` for a request
 * without a key or without access.
 */
export function shownQuota({ api, key, access, quota }: RequestContext): StoredQuota | undefined {
  if (key === undefined || access === undefined) return undefined
  if (quota === undefined || access.quota === undefined) return key.storedQuotaOn(api)
  const { max } = access.quota
  const { remaining, renewsAt } = quota
  return { max, remaining, renews: renewsAt === undefined ? key.storedQuotaOn(api).renews : unixSeconds(renewsAt) }
}
