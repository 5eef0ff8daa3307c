/**
 * The table of the errors of routing and of stages. A test compares it with `docs/errors.md`. Errors of the HTTP
 * protocol are in `front-end-common/error-responses.ts` of the adapters, those of the management API in its handlers.
 * Rejections are constant values, so a rejected request neither throws nor allocates one, unless its message has
 * details (`reword`).
 */

/**
 * Where the cause of an error is: shown in logs and metrics. Only for `upstream` may a stale response replace the
 * error, and only for `downstream` does phase 2 fire AuthFailure (`7-record/fire-events.ts` names the exceptions).
 */
export type ErrorSource = 'downstream' | 'upstream' | 'store' | 'internal'

/** An expected error response. */
export interface Rejection {
  readonly kind: 'rejection'
  /** Stable name for logs, metrics and documentation. */
  readonly code: string
  readonly status: number
  /** The error message for the client. */
  readonly message: string
  readonly source: ErrorSource
  /** The body is the message itself as text/plain, not a rendered error. */
  readonly plain?: true
  /** The body is this JSON text, not a rendered error. */
  readonly json?: string
  /** Further headers of the response: name, value, name, value, … */
  readonly headers?: readonly string[]
  /** The limit of a key or an API that rejects; its decision says when a retry passes. */
  readonly limit?: 'rate' | 'quota'
  /** Status with `upstream_errors: "502"` (RFC 9110, section 15.6.3). */
  readonly gatewayStatus?: 502
  /** JSON-RPC error code. If absent, the code for a JSON-RPC request follows from the status. */
  readonly rpcCode?: number
}

function rejection(code: string, status: number, message: string, source: ErrorSource = 'downstream'): Rejection {
  return Object.freeze({ kind: 'rejection', code, status, message, source })
}

function limited(limit: 'rate' | 'quota', code: string, status: number, message: string): Rejection {
  return Object.freeze({ ...rejection(code, status, message), limit })
}

function plain(code: string, status: number, message: string, source: ErrorSource = 'downstream'): Rejection {
  return Object.freeze({ kind: 'rejection', code, status, message, source, plain: true })
}

/** The errors of one failed call differ only in their code, which access logs and `error_overrides` show as a flag. */
function upstreamFailure(code: string, message = 'There was a problem proxying the request'): Rejection {
  return Object.freeze({ ...rejection(code, 500, message, 'upstream'), gatewayStatus: 502 })
}

function rpc(code: string, rpcCode: number, message: string): Rejection {
  return Object.freeze({ kind: 'rejection', code, status: 400, message, source: 'downstream', rpcCode })
}

/** A copy of a rejection with another message, status or headers; for messages that quote the request. */
export function reword(base: Rejection, change: Partial<Pick<Rejection, 'message' | 'headers' | 'status'>>): Rejection {
  return { ...base, ...change }
}

/** The methods that the gateway proxies: `Allow` of the 405 for TRACE and CONNECT. */
export const proxiedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

export const rejections = {
  // Routing
  notFound: plain('not-found', 404, 'Not Found'),
  // Load balancers and clients must not take the start of a gateway for a missing API.
  notLoadedYet: Object.freeze({
    ...plain('not-loaded-yet', 503, 'Service Unavailable: the definitions are being loaded\n'),
    headers: ['retry-after', '1'],
  }),
  nothingLoaded: plain('nothing-loaded', 404, '404 page not found\n'),
  traceRefused: Object.freeze({
    ...plain('trace-refused', 405, '405 Method Not Allowed'),
    headers: ['allow', proxiedMethods],
  }),
  methodCase: plain('method-case', 400, '400 Bad Request: methods are written in upper case'),
  pathMalformed: plain('path-malformed', 400, '400 Bad Request'),
  pathAmbiguous: plain('path-ambiguous', 400, '400 Bad Request: the path has encoded dot segments or backslashes'),
  bodyTooLarge: plain('body-too-large', 413, 'Request Entity Too Large\n'),

  // 1-accept
  orgInactive: rejection(
    'org-inactive',
    403,
    'this organisation access has been disabled, please contact your API administrator',
  ),
  versionMissing: rejection('version-missing', 403, 'Version information not found'),
  versionUnknown: rejection('version-unknown', 403, 'This API version does not seem to exist'),
  versionExpired: rejection(
    'version-expired',
    403,
    'Api Version has expired, please check documentation or contact administrator',
  ),
  apiExpired: rejection('api-expired', 403, 'API has expired, please check documentation or contact administrator'),
  versionAmbiguous: rejection('version-ambiguous', 403, 'Ambiguous default API version for this non-versioned API'),
  versionNoDefault: rejection('version-no-default', 403, 'No default API version for this non-versioned API found'),
  pathForbidden: rejection('path-forbidden', 403, 'Requested endpoint is forbidden'),
  ipForbidden: rejection('ip-forbidden', 403, 'access from this IP has been disallowed'),
  tlsMissing: rejection('tls-missing', 403, 'TLS not enabled'),
  clientCertificateMissing: rejection('client-certificate-missing', 403, 'Client TLS certificate is required'),
  clientCertificateRefused: rejection('client-certificate-refused', 403, 'Certificate not allowed'),
  certificateExpired: rejection('certificate-expired', 403, 'Certificate has expired'),
  orgRate: rejection(
    'org-rate',
    403,
    'This organisation rate limit has been exceeded, please contact your API administrator',
  ),
  orgOffThread: rejection(
    'org-off-thread',
    403,
    'This organization access has been disabled or quota/rate limit is exceeded, please contact your API administrator',
  ),
  orgQuota: rejection(
    'org-quota',
    403,
    'This organisation quota has been exceeded, please contact your API administrator',
  ),
  headTooLarge: rejection('head-too-large', 431, 'Request Header Fields Too Large'),
  requestTooLarge: rejection('request-too-large', 400, 'Request is too large'),
  lengthRequired: rejection('length-required', 411, 'Content length is required for this request'),
  lengthInvalid: rejection('length-invalid', 400, 'content length is not a valid Integer'),
  rpcNoJson: rpc('rpc-no-json', -32700, 'parse error'),
  rpcInvalid: rpc('rpc-invalid', -32600, 'invalid request'),
  rpcParamsMissing: rpc('rpc-params-missing', -32602, 'missing required params object'),
  rpcParamsNoObject: rpc('rpc-params-no-object', -32602, 'invalid params: expected object'),
  rpcParameterMissing: rpc('rpc-parameter-missing', -32602, 'missing required parameter: name'),
  rpcParamsInvalid: rpc('rpc-params-invalid', -32602, 'invalid params'),
  mcpMediaType: rejection('mcp-media-type', 415, 'Unsupported Media Type'),
  primitivePath: rejection('primitive-path', 404, 'Not Found'),
  metadataUnavailable: rejection('metadata-unavailable', 502, 'upstream PRM unavailable', 'upstream'),

  // scripts, in several phases
  guardUnavailable: rejection('guard-unavailable', 500, 'Middleware error', 'internal'),
  ruleBroken: rejection('rule-broken', 500, 'Middleware error', 'internal'),
  scriptsUnavailable: rejection('scripts-unavailable', 500, 'Middleware error', 'internal'),
  stageRejected: rejection('stage-rejected', 403, 'A stage rejected the request'),
  scriptFailed: rejection('script-failed', 500, 'Internal Server Error', 'internal'),
  scriptRefused: rejection('script-refused', 403, 'A script rejected the request'),
  endpointFailed: rejection(
    'scripted-endpoint-failed',
    500,
    'Error during virtual endpoint execution. Contact Administrator for more details.',
    'internal',
  ),

  // 2-identify
  authMissing: rejection('auth-missing', 401, 'Authorization field missing'),
  keyUnknown: rejection('key-unknown', 403, 'Access to this API has been disallowed'),
  signatureRefused: rejection('signature-refused', 401, 'Request signature verification failed'),
  signatureAlgorithm: rejection('signature-algorithm', 500, 'internal server error', 'internal'),
  basicMalformed: rejection('basic-malformed', 400, 'Attempted access with malformed header'),
  userNotAuthorised: rejection('user-not-authorised', 401, 'User not authorised'),
  passwordsBusy: rejection('passwords-busy', 503, 'Too many passwords are being checked, please try again', 'internal'),
  basicBody: rejection('basic-body', 400, 'Body do not contain username'),
  hmacRefused: rejection('hmac-refused', 400, 'Authorization field missing, malformed or invalid'),
  jwtMissing: rejection('jwt-missing', 400, 'Authorization field missing'),
  jwtRefused: rejection('jwt-refused', 403, 'Key not authorized'),
  jwtMethod: rejection('jwt-method', 403, 'Key not authorized: Unexpected signing method'),
  jwtExpired: rejection('jwt-expired', 401, 'Key not authorized: token has expired'),
  jwtUsedBeforeIssued: rejection('jwt-used-before-issued', 401, 'Key not authorized: token used before issued'),
  jwtNotValidYet: rejection('jwt-not-valid-yet', 401, 'Key not authorized: token is not valid yet'),
  jwtClaim: rejection('jwt-claim', 401, 'Key not authorized: a claim of the token does not have the required value'),
  jwtIdentityMissing: rejection('jwt-identity-missing', 403, 'no suitable claims for user ID were found'),
  jwtIdentityEmpty: rejection('jwt-identity-empty', 403, 'found an empty user ID in sub claim'),
  jwtPolicyUnknown: rejection('jwt-policy-unknown', 403, 'key not authorized: no matching policy'),
  jwtNoPolicy: rejection('jwt-no-policy', 403, 'key not authorized: no matching policy found'),
  jwtScopeUnmapped: rejection('jwt-scope-unmapped', 403, 'key not authorized: no matching policy found in scope claim'),
  jwtNoScopeOrPolicy: rejection('jwt-no-scope-or-policy', 403, 'key not authorized: no scope or policy in token'),
  oauthMissing: rejection('oauth-missing', 400, 'Authorization field missing'),
  oauthMalformed: rejection('oauth-malformed', 400, 'Bearer token malformed'),
  oauthUnknown: rejection('oauth-unknown', 403, 'Key not authorised'),
  oauthClientGone: rejection('oauth-client-gone', 403, 'Key not authorised. OAuth client access was revoked'),
  externalMissing: rejection('external-missing', 400, 'authorization field missing'),
  externalNoProvider: rejection(
    'external-no-provider',
    404,
    'there should be at least one provider configured',
    'internal',
  ),
  externalNoMethod: rejection('external-no-method', 500, 'access token validation method is not specified', 'internal'),
  externalRefused: rejection('external-refused', 401, 'token verification failed: signature is invalid'),
  externalExpired: rejection('external-expired', 401, 'key not authorized: token has expired'),
  externalUsedBeforeIssued: rejection(
    'external-used-before-issued',
    401,
    'key not authorized: token used before issued',
  ),
  externalNotValidYet: rejection('external-not-valid-yet', 401, 'key not authorized: token is not valid yet'),
  externalInactive: rejection('external-inactive', 401, 'access token is not valid'),
  externalFailed: rejection('external-failed', 500, 'error happened during the access token validation'),
  openidRefused: rejection('openid-refused', 401, 'Key not authorised'),
  certificateMissing: rejection('certificate-missing', 401, 'Client certificate required'),
  certificateMismatch: rejection('certificate-mismatch', 403, 'Access to this API has been disallowed'),
  certificateUnknown: rejection('certificate-unknown', 401, 'Access to this API has been disallowed'),
  schemeNotConfigured: rejection('scheme-not-configured', 500, 'security scheme is not configured', 'internal'),

  // 3-admit
  keyInactive: rejection('key-inactive', 403, 'Key is inactive, please renew'),
  keyExpired: rejection('key-expired', 401, 'Key has expired, please renew'),
  apiForbidden: rejection('api-forbidden', 403, 'Access to this API has been disallowed'),
  urlForbidden: rejection('url-forbidden', 403, 'Access to this resource has been disallowed'),
  rateExceeded: limited('rate', 'rate-exceeded', 429, 'Rate Limit Exceeded'),
  quotaExceeded: limited('quota', 'quota-exceeded', 403, 'Quota exceeded'),
  apiRateExceeded: limited('rate', 'api-rate-exceeded', 429, 'API Rate Limit Exceeded'),
  primitiveForbidden: rejection('primitive-forbidden', 403, 'access to this resource has been disallowed'),
  methodForbidden: rejection('method-forbidden', 403, 'Access to this operation has been disallowed'),
  // `3-admit/mcp-admit.ts` replaces `m` and `n` by the names.
  methodUnavailable: rejection('method-unavailable', 403, "method 'm' is not available"),
  primitiveUnavailable: rejection('primitive-unavailable', 403, "tool 'n' is not available"),
  storeUnavailable: rejection('store-unavailable', 503, 'Storage is not available, please try again', 'store'),

  // 4-shape-request
  bodyInvalid: rejection('body-invalid', 422, 'The body does not follow its schema'),
  bodyNotJson: rejection('body-not-json', 400, 'JSON parsing error'),
  graphqlUnserved: rejection('graphql-unserved', 500, 'there was a problem proxying the request', 'internal'),
  graphqlWebSocket: rejection('graphql-web-socket', 422, 'websockets are not allowed'),
  graphqlProtocol: rejection(
    'graphql-protocol',
    400,
    'invalid websocket protocol for upgrading to a graphql websocket connection',
  ),
  graphqlSubscription: rejection('graphql-subscription', 422, 'subscriptions over websockets are not supported'),
  graphqlEmpty: rejection('graphql-empty', 400, 'the provided request is empty'),
  graphqlMalformed: rejection('graphql-malformed', 400, 'the request is not a GraphQL request'),
  graphqlInvalid: rejection('graphql-invalid', 400, 'the query is not valid'),
  graphqlDepth: rejection('graphql-depth', 403, 'depth limit exceeded'),
  graphqlIntrospection: rejection('graphql-introspection', 403, 'introspection is disabled'),
  methodNotAllowed: rejection('method-not-allowed', 405, 'Method not allowed'),
  templateFailed: rejection('template-failed', 500, 'The body cannot be transformed', 'internal'),
  loopTarget: rejection('loop-target', 500, "Can't detect loop target", 'internal'),

  // 5-respond
  onlyIfCached: rejection('only-if-cached', 504, 'The response is not in the cache'),
  mockMissing: rejection('mock-missing', 500, 'failed to mock response'),
  loopTooDeep: rejection(
    'loop-too-deep',
    500,
    'Loop level too deep. Found more than 5 loops in single request',
    'internal',
  ),
  signingIncomplete: rejection(
    'signing-incomplete',
    500,
    'Fields required for signing the request are missing',
    'internal',
  ),
  signingAlgorithm: rejection('signing-algorithm', 500, 'Request signing algorithm is not supported', 'internal'),
  signingCertificateMissing: rejection('signing-certificate-missing', 500, 'Certificate not found', 'internal'),
  signingKeyMissing: rejection('signing-key-missing', 500, 'Certificate does not contain RSA private key', 'internal'),
  upstreamTokenMissing: rejection(
    'upstream-token-missing',
    500,
    'There was a problem proxying the request',
    'upstream',
  ),
  upstreamAuthInvalid: rejection('upstream-auth-invalid', 500, 'There was a problem proxying the request', 'internal'),
  breakerOpen: rejection('breaker-open', 503, 'Service temporarily unavailable.', 'upstream'),
  allHostsDown: plain('all-hosts-down', 503, 'all hosts are down\n', 'upstream'),
  upstreamRefused: upstreamFailure('upstream-refused'),
  upstreamUnreachable: upstreamFailure('upstream-unreachable'),
  upstreamReset: upstreamFailure('upstream-reset'),
  upstreamTlsExpired: upstreamFailure('upstream-tls-expired'),
  upstreamTlsInvalid: upstreamFailure('upstream-tls-invalid'),
  upstreamTlsName: upstreamFailure('upstream-tls-name'),
  upstreamTlsAuthority: upstreamFailure('upstream-tls-authority'),
  upstreamTlsHandshake: upstreamFailure('upstream-tls-handshake'),
  upstreamBroken: upstreamFailure('upstream-broken'),
  responseTooLarge: upstreamFailure('response-too-large', 'Response body too large'),
  upstreamUnknownHost: upstreamFailure('upstream-unknown-host', 'Upstream host lookup failed'),
  upstreamTimeout: rejection('upstream-timeout', 504, 'Upstream service reached hard timeout.', 'upstream'),
  upstreamConnectTimeout: rejection(
    'upstream-connect-timeout',
    504,
    'Upstream service reached hard timeout.',
    'upstream',
  ),
  batchResponseTooLarge: rejection(
    'batch-response-too-large',
    502,
    'The response is too large for a batch',
    'upstream',
  ),
  clientGone: rejection('client-gone', 499, 'Client closed request'),
  internalError: rejection('internal-error', 500, 'There was a problem proxying the request', 'internal'),
} as const satisfies Record<string, Rejection>
