/** Which requests get a record with whole request and response (docs/reference/analytics.md#detailed-recording). */
import type { AnalyticsSettings } from '../../observability/analytics/analytics.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'

/** Returns true if any request of the API may. Keyless APIs have no session that could enable it. */
export function mayWantDetail({ api, services }: CompileContext): boolean {
  const settings = services.analytics?.settings
  if (settings === undefined || api.document.doNotTrack) return false
  return settings.detailed || api.document.enableDetailedRecording || settings.orgDetail || api.authModes.length > 0
}

export function wantsDetail({ api, key, org }: RequestContext, settings: AnalyticsSettings): boolean {
  if (settings.detailed || api.document.enableDetailedRecording) return true
  if (isEnabledFor(key?.session)) return true
  return settings.orgDetail && isEnabledFor(org?.session)
}

const isEnabledFor = (session: { enableDetailedRecording: boolean; enableDetailRecording: boolean } | undefined) =>
  session !== undefined && (session.enableDetailedRecording || session.enableDetailRecording)
