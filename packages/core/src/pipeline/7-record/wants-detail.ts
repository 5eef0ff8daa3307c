/** Whose records hold the whole request and answer. Source: spec/config-and-ops.md 4, "Detailed recording". */
import type { AnalyticsSettings } from '../../observability/analytics/analytics.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'

/** Whether any request of the API may; keyless APIs have no session that could ask for it. */
export function mayWantDetail({ api, services }: CompileContext): boolean {
  const settings = services.analytics?.settings
  if (settings === undefined || api.document.doNotTrack) return false
  return settings.detailed || api.document.enableDetailedRecording || settings.orgDetail || api.authModes.length > 0
}

export function wantsDetail({ api, key, org }: RequestContext, settings: AnalyticsSettings): boolean {
  if (settings.detailed || api.document.enableDetailedRecording) return true
  if (asks(key?.session)) return true
  return settings.orgDetail && asks(org?.session)
}

const asks = (session: { enableDetailedRecording: boolean; enableDetailRecording: boolean } | undefined) =>
  session !== undefined && (session.enableDetailedRecording || session.enableDetailRecording)
