/** An inactive key is told before an expired one. Source: spec/sessions-and-limits.md 7.1 step 6. */
import { rejections } from '../../http/errors.ts'
import type { MakeStage } from '../contract/stage.ts'

export const makeKeyState: MakeStage = ({ api }) => {
  if (api.authModes.length === 0) return null
  return {
    name: 'key-state',
    phase: '3-admit',
    runsForLimits: true,
    run({ key, startedAt, trace }) {
      if (key === undefined) return undefined
      if (key.isInactive) return rejections.keyInactive
      if (key.expiresAt === undefined || startedAt <= key.expiresAt) return undefined
      trace?.note(`expired ${Math.round((startedAt - key.expiresAt) / 1000)} s ago`)
      return rejections.keyExpired
    },
  }
}
