import { type Json, listOf, memberOf, objectOf, textOf } from '../../lib/json.ts'
import type { AuthModeRecord } from './auth-mode-record.ts'

/** JSON web tokens (RFC 7519). */
export const jwtMode = {
  name: 'jwt',
  stage: 'jwt',
  recordedStage: 'JWTMiddleware',
  isIssuedByOAuthServer: true,
  field: 'enable_jwt',
  isOn: (document) => document.enableJwt,
  configName: 'jwt',
  needsPlace: (document) => document.enableJwt,
  fallback: 'auth',
  identityProvider: 'jwt_claim',
  openApi: {
    kind: 'scheme',
    isFor: (scheme) => scheme['type'] === 'http' && textOf(scheme['scheme']).toLowerCase() === 'bearer',
    fields: (_scheme, own) => jwtFields(own),
  },
} as const satisfies AuthModeRecord

/** Newer documents list claims. The first entry is used if the older field for a single claim is missing. */
function jwtFields(own: Json): Json {
  const scopes = objectOf(own['scopes'])
  const mapping = listOf(scopes['scopeToPolicyMapping']).map((entry): [string, unknown] => [
    textOf(memberOf(entry, 'scope')),
    memberOf(entry, 'policyId'),
  ])
  return {
    enable_jwt: true,
    jwt_source: own['source'] || memberOf(listOf(own['jwksURIs'])[0], 'url'),
    jwt_signing_method: own['signingMethod'],
    jwt_identity_base_field: own['identityBaseField'] || listOf(own['subjectClaims'])[0],
    jwt_skip_kid: own['skipKid'],
    jwt_policy_field_name: own['policyFieldName'] || listOf(own['basePolicyClaims'])[0],
    jwt_client_base_field: own['clientBaseField'],
    jwt_default_policies: own['defaultPolicies'],
    jwt_issued_at_validation_skew: own['issuedAtValidationSkew'],
    jwt_not_before_validation_skew: own['notBeforeValidationSkew'],
    jwt_expires_at_validation_skew: own['expiresAtValidationSkew'],
    idp_client_id_mapping_disabled: own['idpClientIdMappingDisabled'],
    scopes: {
      jwt: {
        scope_claim_name: scopes['claimName'] || listOf(scopes['claims'])[0],
        scope_to_policy: mapping.length === 0 ? undefined : Object.fromEntries(mapping),
      },
    },
  }
}
