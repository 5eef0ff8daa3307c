/**
 * Fails closed: if an API requires an authentication method that this gateway does not provide, every request is rejected
 * except on ignored paths. Logged once when the API is loaded; `turnpike check` reports it too.
 */
import { authModeOf } from '../../definition/auth-modes/auth-modes.ts'
import { rejections } from '../../http/errors.ts'
import type { MakeStage } from '../contract/stage.ts'
import { hasOwnStage } from './identity.ts'

export const makeUnavailableAuth: MakeStage = ({ api, services }) => {
  const missing = api.authModes.filter((mode) => hasOwnStage(api, mode) && authModeOf(mode).stage === undefined)
  if (missing.length === 0) return null
  services.log.error('an API rejects every request: this gateway does not provide its authentication method', {
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
