/**
 * Rejects requests for an expired version, or an expired unversioned API, and announces a future expiry in a header.
 * With `version_header`, the response names a version that was chosen by default. The compiled API has already selected
 * the version (docs/reference/versions.md#expiry).
 */
import { type Rejection, rejections } from '../../http/errors.ts'
import { formatHttpDate } from '../../lib/text/time.ts'
import type { Millis } from '../../ports/clock.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { addExtraHeader } from '../shared/extra-headers.ts'

interface Expiry {
  readonly at: Millis
  /** Value of the header. It says UTC, where RFC 9110 requires GMT. */
  readonly shown: string
  /** `undefined` if the expiry is announced but not enforced, as for versioned APIs. */
  readonly rejection: Rejection | undefined
}

export const makeVersionCheck: MakeStage = (compileContext) => {
  const expiries = expiriesOf(compileContext)
  // Also without versions: the definition may be a version of another API, which selected it.
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

/** Expiry of the API, then of the version. The first future one is announced. */
function expiriesOf({ api, version }: CompileContext): Expiry[] {
  const expiries: Expiry[] = []
  const add = (at: Millis | undefined, rejection: Rejection | undefined) => {
    if (at !== undefined) expiries.push({ at, shown: formatHttpDate(at, 'UTC'), rejection })
  }
  add(api.expiresAt, api.versioning.kind === 'none' ? rejections.apiExpired : undefined)
  add(version.expiresAt, rejections.versionExpired)
  return expiries
}
