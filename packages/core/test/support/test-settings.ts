/** Settings as tests start from; they lay over what they are about. */
import { defaultSettings, type GatewaySettings } from '../../src/ports/settings.ts'

export const plainSettings: GatewaySettings = {
  ...defaultSettings,
  keys: { ...defaultSettings.keys, cachedSessions: 1000 },
  limits: { ...defaultSettings.limits, enforceOrgQuotas: true },
}
