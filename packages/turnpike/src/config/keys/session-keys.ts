/** Keys of sessions, OAuth and certificates. Source: docs/reference/configuration.md#keys-and-sessions. */
import { errorOverridesShape } from '@turnpike/core/definition'
import { boolean, described, integer, list, map, object, text, withDefault } from '@turnpike/core/lib'

export const sessionKeys = {
  hashKeys: described('Keys are stored by their hash.', boolean),
  hashKeyFunction: described('Hash of keys; a written one also changes the form of keys.', text),
  hashKeyFunctionFallback: described('Hashes that older keys were stored under.', list(text)),
  basicAuthHashKeyFunction: described(
    'Hash of passwords: bcrypt, sha256, murmur32, murmur64 or murmur128.',
    withDefault(text, 'bcrypt'),
  ),
  enableHashedKeysListing: described(
    'The list of keys has their hashes if `hash_keys` is set; otherwise it is rejected.',
    boolean,
  ),
  disableKeyActionsByUsername: described('The management API finds keys by their full name or hash only.', boolean),
  minTokenLength: described('Keys up to this length are never found.', withDefault(integer, 3)),
  allowMasterKeys: described('Keys without access rights open every API.', boolean),
  localSessionCache: object({
    disableCachedSessionState: described('Reads the session from the store at each request.', boolean),
    cachedSessionTimeout: integer,
    cachedSessionEviction: integer,
  }),
  globalSessionLifetime: described('Seconds.', integer),
  forceGlobalSessionLifetime: described('All sessions are stored for `global_session_lifetime`.', boolean),
  sessionLifetimeRespectsKeyExpiration: described('Sessions are stored at least until their key expires.', boolean),
  enforceOrgQuotas: described('Sessions of organisations count.', boolean),
  enforceOrgDataAge: described('Analytics records are kept as long as the session of the organisation says.', boolean),
  enforceOrgDataDetailLogging: described(
    'The session of the organisation decides about detailed analytics records.',
    boolean,
  ),
  experimentalProcessOrgOffThread: described(
    'Requests do not wait for the check of the limits of their organisation; a failed one rejects later requests.',
    boolean,
  ),
  suppressDefaultOrgStore: described('The management API rejects sessions of organisations without an API.', boolean),
  enableKeyLogging: described('Known; Turnpike never writes whole keys into logs.', boolean),
  overrideMessages: described(
    'Status and text of errors of authentication, by id such as auth.key_not_found.',
    map(
      object({
        code: described('Status of the response. Default: 0, the usual one.', integer),
        message: described('Text of the response. Default: the usual one.', text),
      }),
    ),
  ),
  errorOverrides: described(
    'Replaces error responses of all APIs, by status (401) or class (4xx).',
    errorOverridesShape,
  ),

  oauthTokenExpire: described('Seconds.', withDefault(integer, 3600)),
  oauthRefreshTokenExpire: described('Seconds.', withDefault(integer, 1_209_600)),
  oauthTokenExpiredRetainPeriod: described('Seconds after which expired OAuth tokens are removed; 0: never.', integer),
  oauthRedirectUriSeparator: described(
    'Text between several redirect URIs of an OAuth client. Default: one URI.',
    text,
  ),
  oauthErrorStatusCode: described('Status of errors of the OAuth server.', withDefault(integer, 403)),
  oauthRfc6749Errors: described(
    'The OAuth server follows the standards: errors, client authentication, revocation, metadata.',
    boolean,
  ),
  jwtRfc6750Errors: described('Rejected tokens of JWT APIs are 401 with WWW-Authenticate.', boolean),
  jwtSslInsecureSkipVerify: described('Certificates of servers with key sets are not verified.', boolean),
  jwks: object({
    cache: object({ timeout: described('Seconds for which key sets are cached.', withDefault(integer, 240)) }),
  }),

  security: object({
    privateCertificateEncodingSecret: described(
      'Seals private keys of stored certificates; empty is the management key.',
      text,
    ),
    certificates: object({
      apis: described('Ids of client certificates that all APIs with mutual TLS accept.', list(text)),
      upstream: described('Ids of client certificates for upstreams, by host.', map(text)),
      controlApi: described('Ids of client certificates that the management API accepts.', list(text)),
      dashboardApi: list(text),
      mdcbApi: list(text),
    }),
    controlApiUseMutualTls: described('Management calls need a client certificate.', boolean),
    pinnedPublicKeys: described('Ids of public keys that upstreams must have, by host.', map(text)),
    certificateExpiryMonitor: object({
      warningThresholdDays: described('Days before the expiry at which an event is fired.', withDefault(integer, 30)),
      checkCooldownSeconds: described('Seconds between two checks of a certificate.', withDefault(integer, 3600)),
      eventCooldownSeconds: described(
        'Seconds until the event of a certificate is repeated.',
        withDefault(integer, 86_400),
      ),
    }),
  }),
}
