import { isOn, type Json, memberOf } from '../../lib/json.ts'
import type { AuthModeRecord } from './auth-mode-record.ts'

/** API keys, with an optional signature beside the key. */
export const tokenMode: AuthModeRecord = {
  name: 'token',
  stage: 'auth-token',
  recordedStage: 'AuthKey',
  isIssuedByOAuthServer: true,
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
    configFields: signatureFields,
  },
}

function signatureFields(own: Json): Json {
  const signature = own['signature']
  if (!isOn(signature)) return {}
  return {
    validate_signature: true,
    signature: {
      algorithm: memberOf(signature, 'algorithm'),
      header: memberOf(signature, 'header'),
      use_param: isOn(memberOf(signature, 'query')),
      param_name: isOn(memberOf(signature, 'query')) ? memberOf(signature, 'query', 'name') : undefined,
      secret: memberOf(signature, 'secret'),
      allowed_clock_skew: memberOf(signature, 'allowedClockSkew'),
      error_code: memberOf(signature, 'errorCode'),
      error_message: memberOf(signature, 'errorMessage'),
    },
  }
}
