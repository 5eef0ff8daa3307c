import type { AuthModeRecord } from './auth-mode.ts'

/** API keys. */
export const tokenMode: AuthModeRecord = {
  name: 'token',
  stage: 'auth-token',
  field: 'use_standard_auth',
  isOn: (document) => document.useStandardAuth,
  configName: 'authToken',
  needsPlace: (document) => document.useStandardAuth,
  fallback: 'auth',
  identityProvider: 'auth_token',
  openApi: {
    kind: 'scheme',
    isFor: (scheme) => scheme['type'] === 'apiKey',
    fields: () => ({ use_standard_auth: true }),
  },
}
