/** Keys of sessions, OAuth and certificates. Source: docs/reference/configuration.md#keys-and-sessions. */
import { boolean, errorOverridesShape, field, integer, list, map, object, text, withDefault } from '@turnpike/core'

export const sessionKeys = {
  hashKeys: field(boolean, { description: 'Keys are stored by their hash.' }),
  hashKeyFunction: field(text, {
    description: 'Hash of keys; a written one also changes the form of keys.',
  }),
  hashKeyFunctionFallback: field(list(text), {
    description: 'Hashes that older keys were stored under.',
  }),
  basicAuthHashKeyFunction: withDefault(text, 'bcrypt'),
  enableHashedKeysListing: boolean,
  disableKeyActionsByUsername: boolean,
  minTokenLength: field(withDefault(integer, 3), { description: 'Keys up to this length are never found.' }),
  allowMasterKeys: field(boolean, { description: 'Keys without access rights open every API.' }),
  localSessionCache: object({
    disableCachedSessionState: boolean,
    cachedSessionTimeout: integer,
    cachedSessionEviction: integer,
  }),
  globalSessionLifetime: field(integer, { description: 'Seconds.' }),
  forceGlobalSessionLifetime: boolean,
  sessionLifetimeRespectsKeyExpiration: boolean,
  enforceOrgQuotas: field(boolean, { description: 'Sessions of organisations count.' }),
  enforceOrgDataAge: boolean,
  enforceOrgDataDetailLogging: boolean,
  experimentalProcessOrgOffThread: boolean,
  suppressDefaultOrgStore: boolean,
  enableKeyLogging: field(boolean, { description: 'Known; Turnpike never writes whole keys into logs.' }),
  overrideMessages: map(object({ code: integer, message: text })),
  errorOverrides: errorOverridesShape,

  oauthTokenExpire: field(withDefault(integer, 3600), { description: 'Seconds.' }),
  oauthRefreshTokenExpire: field(withDefault(integer, 1_209_600), { description: 'Seconds.' }),
  oauthTokenExpiredRetainPeriod: integer,
  oauthRedirectUriSeparator: text,
  oauthErrorStatusCode: withDefault(integer, 403),
  oauthRfc6749Errors: boolean,
  jwtRfc6750Errors: boolean,
  jwtSslInsecureSkipVerify: boolean,
  jwks: object({ cache: object({ timeout: withDefault(integer, 240) }) }),

  security: object({
    privateCertificateEncodingSecret: field(text, {
      description: 'Seals private keys of stored certificates; empty is the management key.',
    }),
    certificates: object({
      apis: list(text),
      upstream: map(text),
      controlApi: list(text),
      dashboardApi: list(text),
      mdcbApi: list(text),
    }),
    controlApiUseMutualTls: boolean,
    pinnedPublicKeys: map(text),
    certificateExpiryMonitor: object({
      warningThresholdDays: withDefault(integer, 30),
      checkCooldownSeconds: withDefault(integer, 3600),
      eventCooldownSeconds: withDefault(integer, 86_400),
    }),
  }),
}
