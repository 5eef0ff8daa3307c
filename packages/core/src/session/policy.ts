/** A policy: a template of rights and limits that is applied to sessions. Source: spec/sessions-and-limits.md 4.1. */
import { anything, boolean, field, integer, list, map, number, type Of, object, optional, text } from '../wire/shape.ts'
import { accessRightShape, smoothingShape } from './session.ts'

export const policyShape = object({
  databaseId: field(text, { wireName: '_id' }),
  id: text,
  name: text,
  orgId: text,
  rate: number,
  per: number,
  quotaMax: integer,
  quotaRenewalRate: integer,
  throttleInterval: number,
  throttleRetryLimit: integer,
  maxQueryDepth: integer,
  accessRights: map(accessRightShape),
  hmacEnabled: boolean,
  enableHttpSignatureValidation: boolean,
  active: boolean,
  isInactive: boolean,
  tags: list(text),
  keyExpiresIn: integer,
  partitions: object({ quota: boolean, rateLimit: boolean, complexity: boolean, acl: boolean, perApi: boolean }),
  lastUpdated: text,
  metaData: map(anything),
  graphqlAccessRights: field(anything, { wireName: 'graphql_access_rights' }),
  smoothing: optional(smoothingShape),
  postExpiryAction: field(text, { omitZero: true }),
  postExpiryGracePeriod: field(integer, { omitZero: true }),
})

export type Policy = Of<typeof policyShape>
