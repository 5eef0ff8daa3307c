/** Default settings of tests; each test overrides what it needs. */
import { defaultSettings, type GatewaySettings } from '../../src/ports/settings.ts'

export const plainSettings: GatewaySettings = {
  ...defaultSettings,
  keys: { ...defaultSettings.keys, cachedSessions: 1000 },
  limits: { ...defaultSettings.limits, enforceOrgQuotas: true },
}
