/** Which of several authentication modes gives the session. Source: spec/oauth-certs-reload.md 3. */
import type { ApiDefinition, AuthMode } from '../../definition/api-definition.ts'

const modeByName: Readonly<Record<string, AuthMode>> = {
  oauth_key: 'oauth',
  basic_auth_user: 'basic',
  hmac_key: 'hmac',
  jwt_claim: 'jwt',
  oidc_user: 'openid',
  auth_token: 'token',
  custom_auth: 'custom',
}

/** Whether the session that this mode finds is the one that counts: the named mode, else the last of the order. */
export function identifies(api: ApiDefinition, mode: AuthMode): boolean {
  const named = modeByName[api.document.baseIdentityProvidedBy]
  const chosen = named !== undefined && api.authModes.includes(named) ? named : api.authModes.at(-1)
  return chosen === mode
}
