/**
 * Refuses requests for a version, or an unversioned API, that has expired, and tells ahead when it will. Names the
 * version to clients that did not, where the configuration has a header for it (`version_header`).
 * Which version a request means was settled by the router. Source: spec/apis-and-pipeline.md 4.1.
 */
import { type Rejection, rejections } from '../../http/errors.ts'
import { formatHttpDate } from '../../lib/text/time.ts'
import type { Millis } from '../../ports/clock.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { addExtraHeader } from '../shared/extra-headers.ts'

interface Expiry {
  readonly at: Millis
  /** As the header tells it: dates mean UTC and are written so, where RFC 9110 would have GMT. */
  readonly shown: string
  /** `undefined`: told but not enforced, as the expiry of a versioned API is. */
  readonly rejection: Rejection | undefined
}

export const makeVersionCheck: MakeStage = (compileContext) => {
  const expiries = expiriesOf(compileContext)
  // Also where the definition has no versions: it may be a child of another, which chose it for the request.
  const nameHeader = compileContext.services.settings.headers.version.toLowerCase()
  if (expiries.length === 0 && nameHeader === '') return null
  const header = `x-${compileContext.services.settings.vendor.toLowerCase()}-api-expires`
  return {
    name: 'version-check',
    phase: '1-accept',
    runsForLimits: true,
    run(context) {
      let ahead: Expiry | undefined
      if (nameHeader !== '' && context.defaultVersion !== '') {
        addExtraHeader(context, nameHeader, context.defaultVersion)
      }
      for (const expiry of expiries) {
        if (context.startedAt < expiry.at) ahead ??= expiry
        else if (expiry.rejection !== undefined) return expiry.rejection
      }
      if (ahead !== undefined) addExtraHeader(context, header, ahead.shown)
      return undefined
    },
  }
}

/** The API's own expiry, then that of the version: the first that lies ahead is told. */
function expiriesOf({ api, version }: CompileContext): Expiry[] {
  const expiries: Expiry[] = []
  const add = (at: Millis | undefined, rejection: Rejection | undefined) => {
    if (at !== undefined) expiries.push({ at, shown: formatHttpDate(at, 'UTC'), rejection })
  }
  add(api.expiresAt, api.versioning.kind === 'none' ? rejections.apiExpired : undefined)
  add(version.expiresAt, rejections.versionExpired)
  return expiries
}
