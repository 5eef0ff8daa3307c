import { isOn, type Json, memberOf, textOf } from '../../lib/json.ts'
import type { AuthModeRecord } from './auth-mode-record.ts'

/** User name and password (RFC 7617). */
export const basicMode: AuthModeRecord = {
  name: 'basic',
  stage: 'basic-auth',
  recordedStage: 'BasicAuthKeyIsValid',
  field: 'use_basic_auth',
  isOn: (document) => document.useBasicAuth,
  configName: 'basic',
  // The credentials can come from the body.
  needsPlace: () => false,
  fallback: 'Authorization',
  identityProvider: 'basic_auth_user',
  openApi: {
    kind: 'scheme',
    isFor: ({ type = 'http', scheme }) => type === 'http' && textOf(scheme).toLowerCase() === 'basic',
    fields: (_scheme, own) => ({ use_basic_auth: true, basic_auth: basicFields(own) }),
  },
}

function basicFields(own: Json): Json {
  const body = own['extractCredentialsFromBody']
  return {
    disable_caching: own['disableCaching'],
    cache_ttl: own['cacheTTL'],
    extract_from_body: isOn(body),
    body_user_regexp: memberOf(body, 'userRegexp'),
    body_password_regexp: memberOf(body, 'passwordRegexp'),
  }
}
