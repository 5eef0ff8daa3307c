/**
 * Rejects requests for an expired version, or an expired unversioned API, and announces a future expiry in a header.
 * With `version_header`, the response names a version that was chosen by default. The compiled API has already selected
 * the version (docs/reference/versions.md#expiry).
 */
import { type Rejection, rejections } from '../../http/rejections.ts'
import { formatHttpDate } from '../../lib/text/time.ts'
import type { Millis } from '../../ports/clock.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { addExtraHeader } from '../shared/extra-headers.ts'

interface Expiry {
  readonly at: Millis
  /** Value of the header. It says UTC, where RFC 9110 requires GMT. */
  readonly shown: string
  /** `undefined` if the expiry is not enforced. */
  readonly rejection: Rejection | undefined
  /** It is announced also once it has passed. */
  readonly isAlwaysShown: boolean
}

export const makeVersionCheck: MakeStage = (compileContext) => {
  const expiries = expiriesOf(compileContext)
  // Also without versions: the definition may be a version of another API, which selected it.
  const nameHeader = compileContext.services.settings.headers.version.toLowerCase()
  if (expiries.length === 0 && nameHeader === '') return null
  const header = `x-${compileContext.services.settings.vendor.toLowerCase()}-api-expires`
  return {
    runsForLimits: true,
    run(context) {
      let shown: Expiry | undefined
      if (nameHeader !== '' && context.defaultVersion !== '') {
        addExtraHeader(context, nameHeader, context.defaultVersion)
      }
      for (const expiry of expiries) {
        if (context.startedAt < expiry.at || expiry.isAlwaysShown) shown ??= expiry
        else if (expiry.rejection !== undefined) return expiry.rejection
      }
      if (shown !== undefined) addExtraHeader(context, header, shown.shown)
      return undefined
    },
  }
}

/**
 * Expiry of the API, then of the version. The first one is announced. An unversioned API is bound by its own expiry only,
 * a versioned one by those of its versions only.
 */
function expiriesOf({ api, version }: CompileContext): Expiry[] {
  const isVersioned = api.versioning.kind === 'named'
  const expiries: Expiry[] = []
  const add = (at: Millis | undefined, rejection: Rejection | undefined, isAlwaysShown: boolean) => {
    const isDate = at !== undefined && at !== 0
    if (isDate || (at === 0 && rejection !== undefined)) {
      expiries.push({ at, shown: formatHttpDate(at, 'UTC'), rejection, isAlwaysShown })
    }
  }
  add(api.expiresAt, isVersioned ? undefined : rejections.apiExpired, isVersioned)
  add(version.expiresAt, isVersioned ? rejections.versionExpired : undefined, false)
  return expiries
}
