import { memberOf } from '../../lib/json.ts'
import type { AuthModeRecord } from './auth-mode-record.ts'

/** Signed requests (HTTP signatures). */
export const hmacMode: AuthModeRecord = {
  name: 'hmac',
  stage: 'hmac',
  recordedStage: 'HTTPSignatureValidationMiddleware',
  field: 'enable_signature_checking',
  isOn: (document) => document.enableSignatureChecking,
  configName: 'hmac',
  needsPlace: (document) => document.enableSignatureChecking,
  fallback: 'Authorization',
  identityProvider: 'hmac_key',
  openApi: {
    kind: 'setting',
    member: 'hmac',
    hasPlaces: true,
    fields: (own) => ({
      enable_signature_checking: true,
      hmac_allowed_algorithms: memberOf(own, 'allowedAlgorithms'),
      hmac_allowed_clock_skew: memberOf(own, 'allowedClockSkew'),
      hmac_require_signed_content: memberOf(own, 'requireSignedContent'),
    }),
  },
}
