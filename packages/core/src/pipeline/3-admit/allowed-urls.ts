/**
 * Granular access: the paths and methods that an access right allows. Source:
 * docs/reference/request-checks.md#granular-access.
 */
import { rejections } from '../../http/rejections.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { MakeStage } from '../contract/stage.ts'

export const makeAllowedUrls: MakeStage = ({ api }) => {
  if (api.authModes.length === 0) return null
  return {
    run({ access, request, pathWithVersion }) {
      const allows = access?.allowsUrl
      if (allows === undefined) return undefined
      // Percent-encoding is decoded first, as for all path rules, so that it cannot be used to bypass a rule.
      const allowed = allows(request.method, decodePercent(pathWithVersion), decodePercent(request.path))
      return allowed ? undefined : rejections.urlForbidden
    },
  }
}
