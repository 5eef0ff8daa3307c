/** A policy: a template of rights and limits that is applied to sessions. Source: docs/reference/policies.md#policy-fields. */
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
  databaseId: field(described('Id in a database; counts if `id` is missing.', databaseIdShape), { wireName: '_id' }),
  id: described('Id of the policy. In a file of several policies, the name of the entry counts.', text),
  name: described('Display name.', text),
  orgId: described('Organisation; it must be that of the APIs.', text),
  rate: described('Number of requests in `per` seconds; 0: no rate limit.', number),
  per: described('Number of seconds of the rate limit.', number),
  quotaMax: described('Number of requests in a quota period; 0 or less: no quota.', integer),
  quotaRenewalRate: described('Length of a quota period in seconds; 0: the quota never renews.', integer),
  throttleInterval: described('Seconds between two attempts of a throttled request; -1: rejected at once.', number),
  throttleRetryLimit: described('Number of attempts of a throttled request.', integer),
  maxQueryDepth: described('Depth of GraphQL queries; -1: no limit.', integer),
  accessRights: described('The APIs that may be used, by API id.', map(accessRightShape)),
  hmacEnabled: described('The key can sign requests (HMAC).', boolean),
  enableHttpSignatureValidation: described('The key can sign requests with a certificate.', boolean),
  active: boolean,
  isInactive: described('Requests are rejected.', boolean),
  tags: described('Tags of analytics records.', list(text)),
  keyExpiresIn: described('Seconds after which a new key with this policy expires; 0: never.', integer),
  partitions: described(
    'Which fields the policy sets. None is set: all fields.',
    object({
      quota: described('Sets the quota.', boolean),
      rateLimit: described('Sets the rate.', boolean),
      complexity: described('Sets the depth of queries.', boolean),
      acl: described('Sets the access rights.', boolean),
      perApi: described('Sets the limits of each API; goes with no other partition.', boolean),
    }),
  ),
  lastUpdated: described('Moment of the last change, set by the gateway.', text),
  metaData: described('Values for variables such as $svc_meta.NAME.', map(anything)),
  graphqlAccessRights: field(anything, { wireName: 'graphql_access_rights' }),
  smoothing: described('Raises and lowers the rate in steps.', optional(smoothingShape)),
  postExpiryAction: field(described('What happens to a session after `expires`: delete or retain.', text), {
    omitZero: true,
  }),
  postExpiryGracePeriod: described('Seconds for which an expired session is retained; -1: for ever.', integer),
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
