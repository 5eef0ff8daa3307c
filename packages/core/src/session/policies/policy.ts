/** A policy: a template of rights and limits that is applied to sessions. Source: docs/reference/policies.md#policy-fields. */
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
  type Shape,
  text,
  wrongType,
} from '../../lib/shape/shape.ts'
import { accessRightShape, smoothingShape } from '../../ports/session.ts'

/** 24 hex digits, kept in lower case, as a text or in the form of a database export: `{"$oid": "…"}`. */
const databaseIdShape: Shape<string> = {
  ...text,
  read(value, path, problems) {
    const isExported = typeof value === 'object' && value !== null && '$oid' in value
    const digits = isExported ? value.$oid : (value ?? '')
    if (digits === '' && !isExported) return ''
    if (typeof digits === 'string' && /^[0-9a-fA-F]{24}$/.test(digits)) return digits.toLowerCase()
    wrongType('24 hex digits', value, path, problems)
    return ''
  },
  // The form of responses; requests may also have the form of an export.
  schema: { type: 'string' },
}

export const policyShape = object({
  databaseId: field(databaseIdShape, { wireName: '_id' }),
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
  postExpiryGracePeriod: integer,
})

export type Policy = Of<typeof policyShape>

/** Returns true if a text is a valid policy id. The id is also a file name, so `.` and `..` are invalid. */
export function isSafePolicyId(id: string): boolean {
  return /^[a-zA-Z0-9.\-_~]+$/.test(id) && !/^\.+$/.test(id)
}

/** Returns true if a policy sets only some kinds of fields. `per_api` does not count as a partition. */
export function isPartitioned(policy: Policy): boolean {
  const { quota, rateLimit, complexity, acl } = policy.partitions
  return quota || rateLimit || complexity || acl
}

/**
 * The policy in the form of the management API: every field, including zero values, except an empty
 * `post_expiry_action`. Access rights omit zero values, as in a session.
 */
export function toWirePolicy(policy: Policy): object {
  const wire = policyShape.write(policy) as Record<string, unknown>
  if (policy.accessRights === null) return wire
  const rights: Record<string, unknown> = Object.create(null)
  for (const [apiId, right] of Object.entries(policy.accessRights)) rights[apiId] = accessRightShape.writeSparse(right)
  return { ...wire, access_rights: rights }
}
