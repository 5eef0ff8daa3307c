/**
 * Fails closed: an API that asks for a way of authentication that this gateway does not have serves nobody, except on
 * ignored paths. It is told once, when the API is loaded, and by `turnpike check`.
 */
import { authModeOf } from '../../definition/auth-modes/auth-modes.ts'
import { rejections } from '../../http/errors.ts'
import type { MakeStage } from '../contract/stage.ts'

export const makeUnavailableAuth: MakeStage = ({ api, services }) => {
  const missing = api.authModes.filter((mode) => authModeOf(mode).stage === undefined)
  if (missing.length === 0) return null
  services.log.error('an API refuses every request: this gateway does not have its way of authentication', {
    api: api.id,
    modes: missing.join(', '),
  })
  return {
    name: 'unavailable-auth',
    phase: '2-identify',
    run: ({ ignored, trace }) => {
      trace?.note(`not available: ${missing.join(', ')}`)
      return ignored ? undefined : rejections.authUnavailable
    },
  }
}
