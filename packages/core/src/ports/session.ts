/**
 * The session: what a key may do, as stored. One description gives its type, its reading and its writing.
 * Source: docs/reference/sessions.md#session-fields.
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
  enabled: boolean,
  threshold: integer,
  trigger: number,
  step: integer,
  delay: integer,
})

export const allowedUrlShape = object({ url: text, methods: list(text) })

export const endpointShape = object({
  path: text,
  methods: list(object({ name: text, limit: object({ rate: number, per: number }) })),
})

/** Limits of one API, or of a session: the fields that replace each other as a block. */
export const apiLimitShape = object({
  rate: number,
  per: number,
  throttleInterval: number,
  throttleRetryLimit: integer,
  maxQueryDepth: integer,
  quotaMax: integer,
  quotaRenews: integer,
  quotaRemaining: integer,
  quotaRenewalRate: integer,
  smoothing: optional(smoothingShape),
})

export const accessRightShape = object({
  apiName: text,
  apiId: text,
  versions: list(text),
  allowedUrls: list(allowedUrlShape),
  restrictedTypes: typeRights,
  allowedTypes: typeRights,
  limit: apiLimitShape,
  fieldAccessRights: fieldDepths,
  disableIntrospection: boolean,
  allowanceScope: text,
  endpoints: list(endpointShape),
  jsonRpcMethods: field(methodRates, { wireName: 'json_rpc_methods' }),
  jsonRpcMethodsAccessRights: field(methodNames, { wireName: 'json_rpc_methods_access_rights' }),
  mcpPrimitives: primitiveRates,
  mcpAccessRights: primitiveNames,
})

export const sessionShape = object({
  lastCheck: integer,
  allowance: number,
  rate: number,
  per: number,
  throttleInterval: number,
  throttleRetryLimit: integer,
  maxQueryDepth: integer,
  dateCreated: timeText,
  expires: integer,
  quotaMax: integer,
  quotaRenews: integer,
  quotaRemaining: integer,
  quotaRenewalRate: integer,
  accessRights: map(accessRightShape),
  orgId: text,
  oauthClientId: text,
  oauthKeys: map(text),
  certificate: text,
  mtlsStaticCertificateBindings: list(text),
  basicAuthData: object({ password: text, hashType: text }),
  jwtData: object({ secret: text }),
  hmacEnabled: boolean,
  hmacString: text,
  enableHttpSignatureValidation: boolean,
  rsaCertificateId: text,
  isInactive: boolean,
  applyPolicyId: text,
  applyPolicies: list(text),
  dataExpires: integer,
  monitor: object({ triggerLimits: list(number) }),
  enableDetailRecording: boolean,
  enableDetailedRecording: boolean,
  metaData: map(anything),
  tags: list(text),
  alias: text,
  lastUpdated: text,
  idExtractorDeadline: integer,
  sessionLifetime: integer,
  postExpiryAction: text,
  postExpiryGracePeriod: integer,
  smoothing: optional(smoothingShape),
})

export type Session = Of<typeof sessionShape>
export type AccessRight = Of<typeof accessRightShape>
export type ApiLimit = Of<typeof apiLimitShape>
export type AllowedUrl = Of<typeof allowedUrlShape>
export type EndpointRate = Of<typeof endpointShape>
