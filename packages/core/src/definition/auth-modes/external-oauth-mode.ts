import { isOn, type Json, listOf, memberOf } from '../../lib/json.ts'
import type { AuthModeRecord } from './auth-mode-record.ts'

/** Access tokens of other authorization servers. */
export const externalOAuthMode: AuthModeRecord = {
  name: 'external-oauth',
  stage: 'external-oauth',
  recordedStage: 'ExternalOAuthMiddleware',
  isIssuedByOAuthServer: true,
  field: 'external_oauth.enabled',
  isOn: (document) => document.externalOauth.enabled,
  configName: 'externalOAuth',
  needsPlace: () => false,
  fallback: 'Authorization',
  identityProvider: 'oauth_key',
  openApi: {
    kind: 'scheme',
    isFor: (scheme, own) => scheme['type'] === 'oauth2' && Object.hasOwn(own, 'providers'),
    fields: (_scheme, own) => ({
      external_oauth: { enabled: true, providers: listOf(own['providers']).map(providerFields) },
    }),
  },
}

function providerFields(provider: unknown): Json {
  return {
    jwt: jwtFields(memberOf(provider, 'jwt')),
    introspection: introspectionFields(memberOf(provider, 'introspection')),
  }
}

function jwtFields(jwt: unknown): Json {
  return {
    enabled: isOn(jwt),
    signing_method: memberOf(jwt, 'signingMethod'),
    source: memberOf(jwt, 'source'),
    identity_base_field: memberOf(jwt, 'identityBaseField'),
    issued_at_validation_skew: memberOf(jwt, 'issuedAtValidationSkew'),
    not_before_validation_skew: memberOf(jwt, 'notBeforeValidationSkew'),
    expires_at_validation_skew: memberOf(jwt, 'expiresAtValidationSkew'),
  }
}

function introspectionFields(introspection: unknown): Json {
  return {
    enabled: isOn(introspection),
    url: memberOf(introspection, 'url'),
    client_id: memberOf(introspection, 'clientId'),
    client_secret: memberOf(introspection, 'clientSecret'),
    identity_base_field: memberOf(introspection, 'identityBaseField'),
    cache: {
      enabled: isOn(memberOf(introspection, 'cache')),
      timeout: memberOf(introspection, 'cache', 'timeout'),
    },
  }
}
