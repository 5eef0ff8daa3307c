/** Granular access: paths and methods that a right opens. Source: docs/reference/request-checks.md#granular-access. */
import { rejections } from '../../http/errors.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { MakeStage } from '../contract/stage.ts'

export const makeAllowedUrls: MakeStage = ({ api }) => {
  if (api.authModes.length === 0) return null
  return {
    name: 'allowed-urls',
    phase: '3-admit',
    run({ access, request, pathWithVersion }) {
      const allows = access?.allowsUrl
      if (allows === undefined) return undefined
      // Escapes are undone, as for all rules by path: what is closed stays closed however it is written.
      const allowed = allows(request.method, decodePercent(pathWithVersion), decodePercent(request.path))
      return allowed ? undefined : rejections.urlForbidden
    },
  }
}
