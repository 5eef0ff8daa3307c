import { type Json, memberOf, objectOf } from '../../lib/json.ts'
import type { AuthModeRecord } from './auth-mode-record.ts'

/** Access tokens of the gateway's own OAuth 2.0 server. */
export const oauthMode: AuthModeRecord = {
  name: 'oauth',
  stage: 'oauth-token',
  recordedStage: 'Oauth2KeyExists',
  field: 'use_oauth2',
  isOn: (document) => document.useOauth2,
  configName: 'oauth',
  needsPlace: (document) => document.useOauth2,
  fallback: 'Authorization',
  identityProvider: 'oauth_key',
  openApi: {
    kind: 'scheme',
    isFor: (scheme, own) => scheme['type'] === 'oauth2' && !Object.hasOwn(own, 'providers'),
    fields: (scheme, own) => ({
      use_oauth2: true,
      oauth_meta: {
        allowed_access_types: own['allowedAccessTypes'] ?? accessTypesOf(scheme, own),
        allowed_authorize_types: own['allowedAuthorizeTypes'],
        auth_login_redirect: own['authLoginRedirect'],
      },
      notifications: {
        shared_secret: memberOf(own, 'notifications', 'sharedSecret'),
        oauth_on_keychange_url: memberOf(own, 'notifications', 'onKeyChangeUrl'),
      },
    }),
  },
}

/** Grant types by OpenAPI flow, used if the extension names none. The implicit flow has no grant type. */
const grantByFlow: Readonly<Record<string, string>> = {
  authorizationCode: 'authorization_code',
  clientCredentials: 'client_credentials',
  password: 'password',
}

function accessTypesOf(scheme: Json, own: Json): string[] {
  const grants = Object.keys(objectOf(scheme['flows'])).flatMap((flow) => grantByFlow[flow] ?? [])
  return own['refreshToken'] === true ? [...grants, 'refresh_token'] : grants
}
