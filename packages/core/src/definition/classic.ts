/**
 * The classic definition as the management API reads and writes it: every field with its wire name, type and zero value.
 * The engine uses `ApiDefinition` instead. Source: docs/reference/api-definition.md.
 */

import {
  anything,
  boolean,
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
import { graphqlDocument, storedOperation } from './graphql-shape.ts'
import { upstreamAuthShape } from './upstream-auth-shape.ts'
import { uptimeCheckDocument } from './uptime-check-shape.ts'

/** Where requests carry a credential. Source: docs/reference/request-checks.md#key-location. */
export const authConfigShape = object({
  name: text,
  useParam: boolean,
  paramName: text,
  useCookie: boolean,
  cookieName: text,
  disableHeader: boolean,
  authHeaderName: text,
  useCertificate: boolean,
  validateSignature: boolean,
  signature: object({
    algorithm: text,
    header: text,
    useParam: boolean,
    paramName: text,
    secret: text,
    allowedClockSkew: integer,
    errorCode: integer,
    errorMessage: text,
  }),
})

const rateShape = object({ rate: number, per: number, disabled: boolean })

const pathRule = { disabled: boolean, path: text, method: text }
const listedPathShape = object({
  ...pathRule,
  ignoreCase: boolean,
  methodActions: map(object({ action: text, code: integer, data: text, headers: map(text) })),
})
const templateRuleShape = object({
  ...pathRule,
  templateData: object({ inputType: text, templateMode: text, enableSession: boolean, templateSource: text }),
})
const headerRuleShape = object({ ...pathRule, deleteHeaders: list(text), addHeaders: map(text), actOn: boolean })
const matchShape = map(object({ matchRx: text, reverse: boolean }))
const trackedPathShape = object({ ...pathRule })

const omitted = <T>(shape: Parameters<typeof list<T>>[0]) => field(list(shape), { omitZero: true })

/** Path rules of a version. All lists except two are left out if they are empty. */
export const extendedPathsShape = object({
  ignored: omitted(listedPathShape),
  whiteList: omitted(listedPathShape),
  blackList: omitted(listedPathShape),
  mockResponse: omitted(object({ ...pathRule, ignoreCase: boolean, code: integer, body: text, headers: map(text) })),
  cache: omitted(text),
  advanceCacheConfig: omitted(
    object({ ...pathRule, cacheKeyRegex: text, cacheResponseCodes: list(integer), timeout: integer }),
  ),
  transform: omitted(templateRuleShape),
  transformResponse: omitted(templateRuleShape),
  transformHeaders: omitted(headerRuleShape),
  transformResponseHeaders: omitted(headerRuleShape),
  hardTimeouts: omitted(object({ ...pathRule, timeout: integer })),
  circuitBreakers: omitted(
    object({
      ...pathRule,
      thresholdPercent: number,
      samples: integer,
      returnToServiceAfter: integer,
      disableHalfOpenState: boolean,
    }),
  ),
  urlRewrites: omitted(
    object({
      ...pathRule,
      matchPattern: text,
      rewriteTo: text,
      triggers: list(
        object({
          on: text,
          options: object({
            headerMatches: matchShape,
            queryValMatches: matchShape,
            pathPartMatches: matchShape,
            sessionMetaMatches: matchShape,
            requestContextMatches: matchShape,
            payloadMatches: object({ matchRx: text, reverse: boolean }),
          }),
          rewriteTo: text,
        }),
      ),
    }),
  ),
  virtual: omitted(
    object({
      ...pathRule,
      responseFunctionName: text,
      functionSourceType: text,
      functionSourceUri: text,
      proxyOnError: boolean,
      useSession: boolean,
    }),
  ),
  sizeLimits: omitted(object({ ...pathRule, sizeLimit: integer })),
  methodTransforms: omitted(object({ ...pathRule, toMethod: text })),
  trackEndpoints: omitted(trackedPathShape),
  doNotTrackEndpoints: omitted(trackedPathShape),
  validateJson: omitted(object({ ...pathRule, schema: anything, schemaB64: text, errorResponseCode: integer })),
  internal: omitted(trackedPathShape),
  goPlugin: omitted(anything),
  persistGraphql: list(storedOperation),
  rateLimit: list(object({ ...pathRule, rate: number, per: number })),
})

export const versionShape = readOnlyObject({
  name: text,
  expires: text,
  paths: object({ ignored: list(text), whiteList: list(text), blackList: list(text) }),
  useExtendedPaths: boolean,
  extendedPaths: extendedPathsShape,
  globalHeaders: map(text),
  globalHeadersRemove: list(text),
  globalHeadersDisabled: boolean,
  globalResponseHeaders: map(text),
  globalResponseHeadersRemove: list(text),
  globalResponseHeadersDisabled: boolean,
  ignoreEndpointCase: boolean,
  globalSizeLimit: integer,
  globalSizeLimitDisabled: boolean,
  overrideTarget: text,
})

export const proxyShape = object({
  preserveHostHeader: boolean,
  listenPath: text,
  targetUrl: text,
  disableStripSlash: boolean,
  stripListenPath: boolean,
  enableLoadBalancing: boolean,
  targetList: list(text),
  checkHostAgainstUptimeTests: boolean,
  serviceDiscovery: object({
    useDiscoveryService: boolean,
    queryEndpoint: text,
    useNestedQuery: boolean,
    parentDataPath: text,
    dataPath: text,
    cacheDisabled: boolean,
    portDataPath: text,
    targetPath: text,
    useTargetList: boolean,
    cacheTimeout: integer,
    endpointReturnsList: boolean,
  }),
  transport: object({
    sslInsecureSkipVerify: boolean,
    sslCiphers: list(text),
    sslMinVersion: integer,
    sslMaxVersion: integer,
    sslForceCommonNameCheck: boolean,
    proxyUrl: text,
  }),
})

export const corsShape = object({
  enable: boolean,
  allowedOrigins: list(text),
  allowedMethods: list(text),
  allowedHeaders: list(text),
  exposedHeaders: list(text),
  allowCredentials: boolean,
  maxAge: integer,
  optionsPassthrough: boolean,
  debug: boolean,
})

export const cacheOptionsShape = object({
  cacheTimeout: optional(integer),
  enableCache: boolean,
  cacheAllSafeRequests: boolean,
  cacheResponseCodes: list(integer),
  enableUpstreamCacheControl: boolean,
  cacheControlTtlHeader: text,
  cacheByHeaders: list(text),
  sharePrivate: field(boolean, {
    omitZero: true,
    description: 'Turnpike extension: keyless APIs also cache responses for one client, as the original gateway does.',
  }),
  targetHeaders: field(optional(list(text)), {
    omitZero: true,
    description:
      'Turnpike extension: response headers that replace Cache-Control for this cache (RFC 9213). Default: CDN-Cache-Control.',
  }),
})

/** A script of a stage. */
export const scriptEntryShape = object({
  name: text,
  path: text,
  disabled: boolean,
  requireSession: boolean,
  rawBodyOnly: boolean,
})

/** The scripts of an API, also in the manifest of a bundle. Source: docs/reference/scripts.md#stage-scripts. */
export const customMiddlewareShape = object({
  driver: text,
  pre: list(scriptEntryShape),
  postKeyAuth: list(scriptEntryShape),
  post: list(scriptEntryShape),
  response: list(scriptEntryShape),
  authCheck: scriptEntryShape,
  idExtractor: anything,
})

export const classicShape = readOnlyObject({
  id: field(text, { omitZero: true }),
  name: text,
  expiration: field(text, { omitZero: true }),
  tagsDisabled: field(boolean, { omitZero: true }),
  slug: text,
  listenPort: integer,
  protocol: text,
  enableProxyProtocol: boolean,
  apiId: text,
  orgId: text,
  useKeyless: boolean,
  useOauth2: field(boolean, { wireName: 'use_oauth2' }),
  externalOauth: externalOAuthShape,
  useOpenid: boolean,
  openidOptions: openidOptionsShape,
  oauthMeta: object({ allowedAccessTypes: list(text), allowedAuthorizeTypes: list(text), authLoginRedirect: text }),
  auth: authConfigShape,
  authConfigs: map(authConfigShape),
  useBasicAuth: boolean,
  basicAuth: object({
    disableCaching: boolean,
    cacheTtl: integer,
    extractFromBody: boolean,
    bodyUserRegexp: text,
    bodyPasswordRegexp: text,
  }),
  useMutualTlsAuth: boolean,
  clientCertificates: list(text),
  upstreamCertificates: map(text),
  upstreamCertificatesDisabled: field(boolean, { omitZero: true }),
  pinnedPublicKeys: map(text),
  certificatePinningDisabled: field(boolean, { omitZero: true }),
  enableJwt: boolean,
  useStandardAuth: boolean,
  useGoPluginAuth: boolean,
  enableCoprocessAuth: boolean,
  customPluginAuthEnabled: boolean,
  jwtSigningMethod: text,
  jwtSource: text,
  jwtIdentityBaseField: text,
  jwtClientBaseField: text,
  jwtPolicyFieldName: text,
  jwtDefaultPolicies: list(text),
  jwtIssuedAtValidationSkew: integer,
  jwtExpiresAtValidationSkew: integer,
  jwtNotBeforeValidationSkew: integer,
  jwtSkipKid: boolean,
  scopes: object({
    jwt: object({ scopeClaimName: text, scopeToPolicy: map(text) }),
    oidc: object({ scopeClaimName: text, scopeToPolicy: map(text) }),
  }),
  idpClientIdMappingDisabled: boolean,
  jwtScopeToPolicyMapping: map(text),
  jwtScopeClaimName: text,
  notifications: object({ sharedSecret: text, oauthOnKeychangeUrl: text }),
  enableSignatureChecking: boolean,
  hmacAllowedClockSkew: number,
  hmacAllowedAlgorithms: list(text),
  hmacRequireSignedContent: field(boolean, {
    omitZero: true,
    description: 'Signatures must cover (request-target), the date and a digest of the body.',
  }),
  requestSigning: object({
    isEnabled: boolean,
    secret: text,
    keyId: text,
    algorithm: text,
    headerList: list(text),
    certificateId: text,
    signatureHeader: text,
  }),
  baseIdentityProvidedBy: text,
  securityRequirements: field(list(list(text)), { omitZero: true }),
  definition: object({
    enabled: boolean,
    name: text,
    default: text,
    location: text,
    key: text,
    stripPath: boolean,
    stripVersioningData: boolean,
    urlVersioningPattern: text,
    fallbackToDefault: boolean,
    versions: map(text),
  }),
  versionName: text,
  versionData: object({ notVersioned: boolean, defaultVersion: text, versions: map(versionShape) }),
  uptimeTests: object({ checkList: list(uptimeCheckDocument), config: anything, disabled: boolean }),
  proxy: proxyShape,
  disableRateLimit: boolean,
  disableQuota: boolean,
  customMiddleware: customMiddlewareShape,
  customMiddlewareBundle: text,
  customMiddlewareBundleDisabled: boolean,
  cacheOptions: cacheOptionsShape,
  cacheMode: field(text, { omitZero: true, description: 'Turnpike extension: "rfc9111" follows RFC 9111.' }),
  stages: field(map(anything), {
    omitZero: true,
    description: 'Turnpike extension: configurations of the custom stages of a program, by the name of the stage.',
  }),
  sessionLifetimeRespectsKeyExpiration: boolean,
  sessionLifetime: integer,
  active: boolean,
  internal: boolean,
  authProvider: anything,
  sessionProvider: anything,
  eventHandlers: eventHandlersShape,
  enableBatchRequestSupport: boolean,
  ipAccessControlDisabled: boolean,
  enableIpWhitelisting: boolean,
  allowedIps: list(text),
  enableIpBlacklisting: boolean,
  blacklistedIps: list(text),
  dontSetQuotaOnCreate: boolean,
  expireAnalyticsAfter: integer,
  responseProcessors: list(object({ name: text, options: anything })),
  cors: field(corsShape, { wireName: 'CORS' }),
  domain: text,
  domainDisabled: field(boolean, { omitZero: true }),
  certificates: list(text),
  doNotTrack: boolean,
  enableContextVars: boolean,
  configData: map(anything),
  configDataDisabled: boolean,
  tags: list(text),
  tagHeaders: list(text),
  globalRateLimit: rateShape,
  stripAuthData: boolean,
  enableDetailedRecording: boolean,
  graphql: graphqlDocument,
  analyticsPlugin: anything,
  detailedTracing: boolean,
  isOas: field(boolean, { omitZero: true }),
  applicationProtocol: field(text, { omitZero: true }),
  jsonRpcVersion: field(text, { omitZero: true }),
  upstreamAuth: optional(upstreamAuthShape),
  errorOverrides: errorOverridesShape,
  errorOverridesDisabled: boolean,
})

export type ClassicDefinition = Of<typeof classicShape>
export type AuthConfig = Of<typeof authConfigShape>
export type VersionDocument = Of<typeof versionShape>
export type ExtendedPaths = Of<typeof extendedPathsShape>
export type CustomMiddleware = Of<typeof customMiddlewareShape>
export type CorsDocument = Of<typeof corsShape>
export type PathRule = { readonly disabled: boolean; readonly path: string; readonly method: string }
