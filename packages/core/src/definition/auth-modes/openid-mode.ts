import type { AuthModeRecord } from './auth-mode.ts'

/** OpenID Connect as the original gateway's definitions configure it. APIs that use it reject every request. */
export const openidMode: AuthModeRecord = {
  name: 'openid',
  stage: undefined,
  field: 'use_openid',
  isOn: (document) => document.useOpenid,
  configName: 'oidc',
  needsPlace: (document) => document.useOpenid,
  fallback: 'auth',
  identityProvider: 'oidc_user',
  openApi: {
    kind: 'scheme',
    isFor: (scheme) => scheme['type'] === 'openIdConnect',
    fields: () => ({ use_openid: true }),
  },
}
