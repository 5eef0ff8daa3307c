/**
 * The session: what a key may do, as stored. One description gives its type, its reading and its writing.
 * Source: docs/reference/sessions.md#session-fields.
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
  text,
} from '../lib/shape/shape.ts'
import { timeText } from '../lib/text/time-text.ts'
import {
  fieldDepths,
  methodNames,
  methodRates,
  primitiveNames,
  primitiveRates,
  typeRights,
} from './access-right-fields.ts'

export const smoothingShape = object({
  enabled: described('Switches smoothing on.', boolean),
  threshold: described('Lowest allowance, with which the key begins: requests in `per` seconds.', integer),
  trigger: described('Share of a step that is left when the allowance rises or falls.', number),
  step: described('Number of requests by which the allowance changes.', integer),
  delay: described('Seconds between two changes.', integer),
})

export const allowedUrlShape = object({
  url: described('Regular expression that is searched in the whole path.', text),
  methods: described('Methods that may be used.', list(text)),
})

export const endpointShape = object({
  path: described('Path of the endpoint, without the listen path.', text),
  methods: described(
    'Rates by method.',
    list(
      object({
        name: described('The method.', text),
        limit: object({
          rate: described('Number of requests in `per` seconds; 0: no rate limit.', number),
          per: described('Number of seconds of the rate limit.', number),
        }),
      }),
    ),
  ),
})

/** Limits of one API, or of a session: the fields that replace each other as a block. */
export const apiLimitShape = object({
  rate: described('Number of requests in `per` seconds; 0: no rate limit.', number),
  per: described('Number of seconds of the rate limit.', number),
  throttleInterval: described('Seconds between two attempts of a throttled request; -1: rejected at once.', number),
  throttleRetryLimit: described('Number of attempts of a throttled request.', integer),
  maxQueryDepth: described('Depth of GraphQL queries; -1: no limit.', integer),
  quotaMax: described('Number of requests in a quota period; 0 or less: no quota.', integer),
  quotaRenews: described('Moment at which the quota renews, in seconds since 1970.', integer),
  quotaRemaining: described('Requests that are left in the quota period.', integer),
  quotaRenewalRate: described('Length of a quota period in seconds; 0: the quota never renews.', integer),
  smoothing: described('Raises and lowers the rate in steps.', optional(smoothingShape)),
})

export const accessRightShape = object({
  apiName: described('Name of the API; informative.', text),
  apiId: described('Id of the API, the same as the name of the entry.', text),
  versions: described('Versions that may be used. Empty: all.', list(text)),
  allowedUrls: described('Paths and methods that may be used. Empty: all.', list(allowedUrlShape)),
  restrictedTypes: described('GraphQL fields that may not be used.', typeRights),
  allowedTypes: described('GraphQL fields that may be used.', typeRights),
  limit: described('Limits of this API, instead of those of the key.', apiLimitShape),
  fieldAccessRights: described('Limits of GraphQL fields.', fieldDepths),
  disableIntrospection: described('Rejects GraphQL introspection.', boolean),
  allowanceScope: described('Name of the counters of this entry, set by the gateway.', text),
  endpoints: described('Rates of single paths and methods.', list(endpointShape)),
  jsonRpcMethods: field(described('MCP proxies: rates of single methods.', methodRates), {
    wireName: 'json_rpc_methods',
  }),
  jsonRpcMethodsAccessRights: field(described('MCP proxies: methods that may be used.', methodNames), {
    wireName: 'json_rpc_methods_access_rights',
  }),
  mcpPrimitives: described('MCP proxies: rates of single tools, resources and prompts.', primitiveRates),
  mcpAccessRights: described('MCP proxies: tools, resources and prompts that may be used.', primitiveNames),
})

export const sessionShape = object({
  lastCheck: integer,
  allowance: number,
  rate: described('Number of requests in `per` seconds; 0: no rate limit.', number),
  per: described('Number of seconds of the rate limit.', number),
  throttleInterval: described('Seconds between two attempts of a throttled request; -1: rejected at once.', number),
  throttleRetryLimit: described('Number of attempts of a throttled request.', integer),
  maxQueryDepth: described('Depth of GraphQL queries; -1: no limit.', integer),
  dateCreated: described('Moment of creation, set by the gateway.', timeText),
  expires: described('Moment in seconds since 1970 after which the key is rejected; 0: never.', integer),
  quotaMax: described('Number of requests in a quota period; 0 or less: no quota.', integer),
  quotaRenews: described('Moment at which the quota renews, in seconds since 1970.', integer),
  quotaRemaining: described('Requests that are left in the quota period.', integer),
  quotaRenewalRate: described('Length of a quota period in seconds; 0: the quota never renews.', integer),
  accessRights: described('The APIs that may be used, by API id.', map(accessRightShape)),
  orgId: described('Organisation; it must be that of the APIs.', text),
  oauthClientId: described('OAuth client that the key belongs to.', text),
  oauthKeys: described('Token that the key has at each OAuth client, by client id.', map(text)),
  certificate: described('Certificate that can replace the key.', text),
  mtlsStaticCertificateBindings: described(
    'Ids of client certificates. A request must present one of them.',
    list(text),
  ),
  basicAuthData: described(
    'Password of a user of basic authentication.',
    object({
      password: described('The password; it is stored as a hash.', text),
      hashType: described('Function that hashed the password, set by the gateway.', text),
    }),
  ),
  jwtData: described(
    'Secret of JSON web tokens that name the key.',
    object({ secret: described('The secret.', text) }),
  ),
  hmacEnabled: described('The key can sign requests (HMAC).', boolean),
  hmacString: described('Secret of HMAC signatures.', text),
  enableHttpSignatureValidation: described('The key can sign requests with a certificate.', boolean),
  rsaCertificateId: described('Certificate that verifies signatures.', text),
  isInactive: described('Requests are rejected.', boolean),
  applyPolicyId: described('Id of one policy; use apply_policies.', text),
  applyPolicies: described('Ids of the policies of the key.', list(text)),
  dataExpires: described('Seconds for which analytics records are kept.', integer),
  monitor: described(
    'Shares of the quota, in percent, at which an event is fired.',
    object({
      triggerLimits: described('Percentages of the quota at which an event is fired, such as 80.', list(number)),
    }),
  ),
  enableDetailRecording: described('Older form of enable_detailed_recording.', boolean),
  enableDetailedRecording: described('Analytics records contain requests and responses.', boolean),
  metaData: described('Values for variables such as $svc_meta.NAME.', map(anything)),
  tags: described('Tags of analytics records.', list(text)),
  alias: described('Name of the key in lists and records.', text),
  lastUpdated: described('Moment of the last change, set by the gateway.', text),
  idExtractorDeadline: integer,
  sessionLifetime: described('Seconds for which the session is stored.', integer),
  postExpiryAction: described('What happens to a session after `expires`: delete or retain.', text),
  postExpiryGracePeriod: described('Seconds for which an expired session is retained; -1: for ever.', integer),
  smoothing: described('Raises and lowers the rate in steps.', optional(smoothingShape)),
})

export type Session = Of<typeof sessionShape>
export type AccessRight = Of<typeof accessRightShape>
export type ApiLimit = Of<typeof apiLimitShape>
export type AllowedUrl = Of<typeof allowedUrlShape>
export type EndpointRate = Of<typeof endpointShape>
