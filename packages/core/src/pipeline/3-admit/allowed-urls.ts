/** Granular access: paths and methods that a right opens. Source: spec/sessions-and-limits.md 7.5. */
import { rejections } from '../../errors.ts'
import type { MakeStage } from '../stage.ts'

export const makeAllowedUrls: MakeStage = ({ api }) => {
  if (api.authModes.length === 0) return null
  return {
    name: 'allowed-urls',
    phase: '3-admit',
    run({ grant, request, pathWithVersion }) {
      const allows = grant?.allowsUrl
      if (allows === undefined) return undefined
      return allows(request.method, pathWithVersion, request.path) ? undefined : rejections.urlForbidden
    },
  }
}
