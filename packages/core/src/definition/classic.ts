/**
 * The classic definition as the management API reads and writes it: every field with its wire name, type and zero value.
 * The engine uses `ApiDefinition` instead. Source: docs/reference/api-definition.md.
 */

import {
  anything,
  boolean,
  described,
  field,
  integer,
  list,
  map,
  number,
  type Of,
  object,
  optional,
  readOnlyObject,
  text,
} from '../lib/shape/shape.ts'
import { errorOverridesShape } from './error-overrides-shape.ts'
import { eventHandlersShape } from './event-handlers-shape.ts'
import { externalOAuthShape, openidOptionsShape } from './external-oauth-shape.ts'
import { graphqlDocument } from './graphql-shape.ts'
import { proxyShape } from './proxy-shape.ts'
import { upstreamAuthShape } from './upstream-auth-shape.ts'
import { uptimeCheckDocument } from './uptime-check-shape.ts'
import { versionShape } from './version-shape.ts'

/** Where requests carry a credential. Source: docs/reference/request-checks.md#key-location. */
export const authConfigShape = object({
  name: text,
  useParam: described('Reads the credential also from a query parameter.', boolean),
  paramName: described('Name of the query parameter. Default: the name of the header.', text),
  useCookie: described('Reads the credential also from a cookie.', boolean),
  cookieName: described('Name of the cookie. Default: the name of the header.', text),
  disableHeader: described('Does not read the credential from a header.', boolean),
  authHeaderName: described('Header with the credential. Default: Authorization.', text),
  useCertificate: described('A client certificate can replace the key.', boolean),
  validateSignature: described('Keys need a signature beside them.', boolean),
  signature: object({
    algorithm: described('MasherySHA256 or MasheryMD5.', text),
    header: described('Header with the signature.', text),
    useParam: described('Reads the signature also from a query parameter.', boolean),
    paramName: described('Name of the query parameter. Default: the name of the header.', text),
    secret: described('Secret that signature and gateway share; $svc_meta.NAME gives each key its own.', text),
    allowedClockSkew: described('Tolerance in seconds in both directions, at most 3600. Default: 0.', integer),
    errorCode: described('Status of a rejection. Default: 401.', integer),
    errorMessage: described('Text of a rejection. Default: Request signature verification failed.', text),
  }),
})

const rateShape = object({
  rate: described('Number of requests.', number),
  per: described('Number of seconds.', number),
  disabled: described('The limit does not apply.', boolean),
})

export const corsShape = object({
  enable: described('Switches CORS on.', boolean),
  allowedOrigins: described('Origins that browsers may call from; * stands for any text. Default: all.', list(text)),
  allowedMethods: described('Methods that browsers may use. Default: GET, POST, HEAD.', list(text)),
  allowedHeaders: described('Request headers that browsers may send.', list(text)),
  exposedHeaders: described('Response headers that scripts in browsers may read.', list(text)),
  allowCredentials: described('Browsers may send cookies and credentials.', boolean),
  maxAge: described('Seconds for which browsers keep a preflight response.', integer),
  optionsPassthrough: described('The upstream responds to OPTIONS requests.', boolean),
  debug: boolean,
})

export const cacheOptionsShape = object({
  cacheTimeout: described('Seconds. Default: 60.', optional(integer)),
  enableCache: described('Switches the cache on.', boolean),
  cacheAllSafeRequests: described('Caches all GET and HEAD requests.', boolean),
  cacheResponseCodes: described('Statuses that are cached. Default: all.', list(integer)),
  enableUpstreamCacheControl: described('The upstream decides by headers.', boolean),
  cacheControlTtlHeader: described('Response header with the lifetime in seconds.', text),
  cacheByHeaders: described('Request headers that are part of the key.', list(text)),
  sharePrivate: field(
    described(
      'Turnpike extension: keyless APIs also cache responses for one client, as the original gateway does.',
      boolean,
    ),
    { omitZero: true },
  ),
  targetHeaders: field(
    described(
      'Turnpike extension: response headers that replace Cache-Control for this cache (RFC 9213). Default: CDN-Cache-Control.',
      optional(list(text)),
    ),
    { omitZero: true },
  ),
})

/** A script of a stage. */
export const scriptEntryShape = object({
  name: described('Name of the object that the file defines.', text),
  path: described('File of the script. Default: in the folder of scripts of the API.', text),
  disabled: described('The script does not run.', boolean),
  requireSession: described('The script receives the session of the key.', boolean),
  rawBodyOnly: boolean,
})

/** The scripts of an API, also in the manifest of a bundle. Source: docs/reference/scripts.md#stage-scripts. */
export const customMiddlewareShape = object({
  driver: text,
  pre: described('Scripts before authentication.', list(scriptEntryShape)),
  postKeyAuth: described('Scripts after authentication.', list(scriptEntryShape)),
  post: described('Scripts before the upstream.', list(scriptEntryShape)),
  response: described('Scripts that change the response.', list(scriptEntryShape)),
  authCheck: described('The script that authenticates requests.', scriptEntryShape),
  idExtractor: anything,
})

/** The response processors that exist. Source: docs/reference/transforms.md#response-processors. */
export const processorNames = ['header_injector', 'response_body_transform', 'header_transform'] as const

export const classicShape = readOnlyObject({
  id: field(text, { omitZero: true }),
  name: described('Display name.', text),
  expiration: field(
    described('Moment after which an unversioned API is rejected: 2006-01-02 15:04 in UTC, or -1 for never.', text),
    { omitZero: true },
  ),
  tagsDisabled: field(boolean, { omitZero: true }),
  slug: described('Used with versions in the URL.', text),
  listenPort: described('A TCP port of its own; 0: the port of the gateway.', integer),
  protocol: described('Protocol of the port: http, https, h2c, tcp or tls.', text),
  enableProxyProtocol: boolean,
  apiId: described('Id of the API. Keys and policies name it.', text),
  orgId: described('Organisation. Keys of other organisations are rejected.', text),
  useKeyless: described('Requests need no credential.', boolean),
  useOauth2: field(described("Requests need an access token of the gateway's own OAuth 2.0 server.", boolean), {
    wireName: 'use_oauth2',
  }),
  externalOauth: described(
    'Access tokens of other authorization servers; the first provider counts.',
    externalOAuthShape,
  ),
  useOpenid: described('Requests need an ID token of OpenID Connect.', boolean),
  openidOptions: described('Issuers of ID tokens, with the policy of each client.', openidOptionsShape),
  oauthMeta: described(
    "Settings of the gateway's own OAuth 2.0 server.",
    object({
      allowedAccessTypes: described(
        'Grant types: authorization_code, refresh_token, password, client_credentials.',
        list(text),
      ),
      allowedAuthorizeTypes: described('Response types of the authorization endpoint: code, token.', list(text)),
      authLoginRedirect: described('URL of the login page.', text),
    }),
  ),
  auth: described('Where the credential is read; replaced by `auth_configs`.', authConfigShape),
  authConfigs: described(
    'Where each method reads its credential: authToken, jwt, basic, hmac, oauth, oidc, coprocess, externalOAuth.',
    map(authConfigShape),
  ),
  useBasicAuth: described('Requests need a user name and a password.', boolean),
  basicAuth: described(
    'Settings of basic authentication.',
    object({
      disableCaching: described('Checks the password with bcrypt at every request.', boolean),
      cacheTtl: described('Seconds for which a checked password is remembered.', integer),
      extractFromBody: described('Reads user name and password from the body.', boolean),
      bodyUserRegexp: described('Regular expression; its first group is the user name in the body.', text),
      bodyPasswordRegexp: described('Regular expression; its first group is the password in the body.', text),
    }),
  ),
  useMutualTlsAuth: described('Requests need a client certificate.', boolean),
  clientCertificates: described('Ids of the client certificates that are accepted.', list(text)),
  upstreamCertificates: described('Client certificates for upstreams, by host.', map(text)),
  upstreamCertificatesDisabled: field(described('Ignores `upstream_certificates`.', boolean), { omitZero: true }),
  pinnedPublicKeys: described('Public keys that upstreams must have, by host.', map(text)),
  certificatePinningDisabled: field(described('Ignores `pinned_public_keys`.', boolean), { omitZero: true }),
  enableJwt: described('Requests need a JSON web token.', boolean),
  useStandardAuth: described('Requests need an API key.', boolean),
  useGoPluginAuth: described('Older form of custom_plugin_auth_enabled.', boolean),
  enableCoprocessAuth: described('Older form of custom_plugin_auth_enabled.', boolean),
  customPluginAuthEnabled: described('A script authenticates requests.', boolean),
  jwtSigningMethod: described('Family of the signature: hmac, rsa or ecdsa.', text),
  jwtSource: described(
    'The secret, the public key in base64, or the URL of a key set. Empty: the key that the token names.',
    text,
  ),
  jwtAllowedIssuers: field(
    described('Turnpike extension: accepted values of the claim `iss` of tokens; empty: all.', list(text)),
    { omitZero: true },
  ),
  jwtAllowedAudiences: field(
    described('Turnpike extension: accepted values of the claim `aud` of tokens; empty: all.', list(text)),
    { omitZero: true },
  ),
  jwtJwksUris: field(
    described(
      'Key sets that are searched in order, if `jwt_source` is empty or one of them.',
      list(
        object({
          url: described('URL of the key set.', text),
          cacheTimeout: described('Stored and returned, such as 5m.', text),
        }),
      ),
    ),
    { omitZero: true },
  ),
  jwtIdentityBaseField: described('Claim that identifies the caller. Default: sub.', text),
  jwtClientBaseField: described('Claim that names the client.', text),
  jwtPolicyFieldName: described('Claim that names the policy.', text),
  jwtDefaultPolicies: described('Policies of tokens that name none.', list(text)),
  jwtIssuedAtValidationSkew: described('Tolerance for `iat` in seconds.', integer),
  jwtExpiresAtValidationSkew: described('Tolerance for `exp` in seconds.', integer),
  jwtNotBeforeValidationSkew: described('Tolerance for `nbf` in seconds.', integer),
  jwtSkipKid: described('Ignores the header `kid`.', boolean),
  scopes: described(
    'Policies by scope of a token.',
    object({
      jwt: object({
        scopeClaimName: described('Claim of JSON web tokens with the scopes. Default: scope.', text),
        scopeToPolicy: described('Id of the policy that each scope adds.', map(text)),
      }),
      oidc: object({
        scopeClaimName: described('Claim of ID tokens with the scopes. Default: scope.', text),
        scopeToPolicy: described('Id of the policy that each scope adds.', map(text)),
      }),
    }),
  ),
  idpClientIdMappingDisabled: described('Claims do not set the OAuth client of the session.', boolean),
  jwtScopeToPolicyMapping: described('Older form of scopes.jwt.scope_to_policy.', map(text)),
  jwtScopeClaimName: described('Older form of scopes.jwt.scope_claim_name.', text),
  notifications: described(
    'Where the gateway reports new OAuth tokens.',
    object({
      sharedSecret: described('Value of a header by which the receiver recognises the gateway.', text),
      oauthOnKeychangeUrl: described('URL that receives a POST with each new token.', text),
    }),
  ),
  enableSignatureChecking: described('Requests must be signed (HTTP signatures).', boolean),
  hmacAllowedClockSkew: described('Tolerance for the date of a signature in milliseconds; 0: no check.', number),
  hmacAllowedAlgorithms: described('Accepted algorithms of signatures. Default: all.', list(text)),
  hmacRequireSignedContent: field(
    described('Signatures must cover (request-target), the date and a digest of the body.', boolean),
    { omitZero: true },
  ),
  requestSigning: described(
    'Signs requests to the upstream.',
    object({
      isEnabled: described('Switches signing on.', boolean),
      secret: described('Secret of HMAC signatures.', text),
      keyId: described('Id of the key in the signature; required.', text),
      algorithm: described('hmac-sha1, hmac-sha256, hmac-sha384, hmac-sha512 or rsa-sha256; required.', text),
      headerList: described(
        'Headers that the signature covers. Default: (request-target) and all headers.',
        list(text),
      ),
      certificateId: described('Stored certificate with the RSA private key, for rsa-sha256.', text),
      signatureHeader: described('Header with the signature. Default: Authorization.', text),
    }),
  ),
  baseIdentityProvidedBy: described('Which of several methods provides the session.', text),
  securityRequirements: field(
    described('Groups of authentication methods, of OpenAPI documents only.', list(list(text))),
    { omitZero: true },
  ),
  definition: described(
    'Versions that are separate definitions.',
    object({
      enabled: described('Switches versions on.', boolean),
      name: described('Version name of this API.', text),
      default: described('Version of requests that name none; self is this API.', text),
      location: described('Where a request names its version: header, url-param or url.', text),
      key: described('Name of the header or of the parameter.', text),
      stripPath: described('Older form of strip_versioning_data, for versions in the URL.', boolean),
      stripVersioningData: described('Removes the version from the request.', boolean),
      urlVersioningPattern: described(
        'Regular expression; only a segment that matches is removed from the URL. Default: any.',
        text,
      ),
      fallbackToDefault: described('An unknown version is served by the default.', boolean),
      versions: described('Ids of the other versions, by version name.', map(text)),
    }),
  ),
  versionName: described('Name of this version in the list of versions of its base API.', text),
  versionData: described(
    'Path rules, by version.',
    object({
      notVersioned: described('The API has one version, the first one of `versions`.', boolean),
      defaultVersion: described('Version of requests that name none.', text),
      versions: described('Versions by name.', map(versionShape)),
    }),
  ),
  uptimeTests: described(
    'Health checks of the targets.',
    object({
      checkList: described('Hosts that are tested: URLs, or objects with a URL.', list(uptimeCheckDocument)),
      config: anything,
      disabled: described('Runs no tests.', boolean),
    }),
  ),
  proxy: described('Where requests come in and where they go.', proxyShape),
  disableRateLimit: described('Rate limits of keys do not apply.', boolean),
  disableQuota: described('Quotas of keys do not apply.', boolean),
  customMiddleware: described('Scripts, by stage.', customMiddlewareShape),
  customMiddlewareBundle: described('File name of a bundle of scripts.', text),
  customMiddlewareBundleDisabled: described('Ignores `custom_middleware_bundle`.', boolean),
  cacheOptions: described('Cache of responses.', cacheOptionsShape),
  cacheMode: field(described('Turnpike extension: "rfc9111" follows RFC 9111; "recorded" ignores Vary.', text), {
    omitZero: true,
  }),
  stages: field(
    described(
      'Turnpike extension: configurations of the custom stages of a program, by the name of the stage.',
      map(anything),
    ),
    { omitZero: true },
  ),
  sessionLifetimeRespectsKeyExpiration: described('The lifetime is not shorter than the expiry of the key.', boolean),
  sessionLifetime: described(
    'Seconds for which the session of a key is stored; 0: as long as the key is valid.',
    integer,
  ),
  active: described('Served either way, unless `honour_active` is set in the configuration.', boolean),
  internal: described('The API has no route of its own; only loops inside the gateway reach it.', boolean),
  authProvider: anything,
  sessionProvider: anything,
  eventHandlers: described('Web hooks, scripts and log lines by event.', eventHandlersShape),
  enableBatchRequestSupport: described('Accepts batch requests.', boolean),
  ipAccessControlDisabled: described('A list applies only if its own switch is on.', boolean),
  enableIpWhitelisting: described('Applies `allowed_ips`.', boolean),
  allowedIps: described('Addresses and networks of clients that are accepted.', list(text)),
  enableIpBlacklisting: described('Applies `blacklisted_ips`.', boolean),
  blacklistedIps: described('Addresses and networks of clients that are rejected.', list(text)),
  dontSetQuotaOnCreate: described('Writing a key does not reset its quota.', boolean),
  expireAnalyticsAfter: described('Seconds for which analytics records are kept; 0: as configured.', integer),
  responseProcessors: described(
    'Changes of responses: header_injector, response_body_transform, header_transform.',
    list(
      object({
        name: described('header_injector, response_body_transform or header_transform.', text),
        options: described(
          'Settings of the processor, such as {add_headers, remove_headers} of header_injector.',
          anything,
        ),
      }),
    ),
  ),
  cors: field(described('Cross-origin resource sharing.', corsShape), { wireName: 'CORS' }),
  domain: described('Host name that the API is served on; needs `enable_custom_domains` in the configuration.', text),
  domainDisabled: field(described('Ignores `domain`.', boolean), { omitZero: true }),
  certificates: described('Ids of server certificates for `domain`.', list(text)),
  doNotTrack: described('Writes no analytics records.', boolean),
  enableContextVars: described('Fills $svc_context variables.', boolean),
  configData: described('Data for scripts.', map(anything)),
  configDataDisabled: described('Scripts receive no `config_data`.', boolean),
  tags: described('Tags of analytics records.', list(text)),
  tagHeaders: described('Request headers whose values become tags of analytics records.', list(text)),
  globalRateLimit: described('Rate over all callers.', rateShape),
  stripAuthData: described('Removes the credential before the upstream is called.', boolean),
  enableDetailedRecording: described('Analytics records contain requests and responses.', boolean),
  graphql: described('Checks GraphQL requests against a schema.', graphqlDocument),
  analyticsPlugin: anything,
  detailedTracing: described(
    'Traces have a span for each stage, if `opentelemetry` is enabled in the configuration.',
    boolean,
  ),
  isOas: field(
    described(
      'The definition was derived from an OpenAPI document, which is in the file ID-oas.json; set by the gateway.',
      boolean,
    ),
    { omitZero: true },
  ),
  applicationProtocol: field(described('mcp: the API is an MCP proxy; set by the gateway.', text), { omitZero: true }),
  jsonRpcVersion: field(text, { omitZero: true }),
  upstreamAuth: described('Credentials of the gateway for the upstream.', optional(upstreamAuthShape)),
  errorOverrides: described('Replaces error responses, by status (401) or class (4xx).', errorOverridesShape),
  errorOverridesDisabled: described('Ignores `error_overrides`.', boolean),
})

export type ClassicDefinition = Of<typeof classicShape>
export type AuthConfig = Of<typeof authConfigShape>
export type CustomMiddleware = Of<typeof customMiddlewareShape>
export type CorsDocument = Of<typeof corsShape>
