/** Sessions and policies as clients write them, few names and many meetings: what shares, overlaps or contradicts. */
import { type Policy, policyShape, type Session, sessionShape } from '@turnpike/core'
import fc from 'fast-check'

/** A JSON object as it goes over the wire. */
export type WireObject = Record<string, unknown>

const apiIds = ['api1', 'api2', 'api3'] as const
const policyIds = ['gold', 'silver', 'free', 'unknown'] as const

const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })

const rates = fc.constantFrom(-1, 0, 0.5, 1, 2, 2.7, 100)
const periods = fc.constantFrom(0, 0.5, 1, 60, 3600)
const quotas = fc.constantFrom(-1, 0, 1, 2, 1000)
const renewals = fc.constantFrom(-1, 0, 1, 60, 3600)

const limits: fc.Arbitrary<WireObject> = sparse({
  rate: rates,
  per: periods,
  quota_max: quotas,
  quota_renewal_rate: renewals,
  throttle_interval: fc.constantFrom(-1, 0, 0.1, 1),
  throttle_retry_limit: fc.constantFrom(-1, 0, 1, 3),
})

const urls = sparse({
  url: fc.constantFrom('/a', '/a/{id}', '^/b$', '/*/c', '('),
  methods: fc.subarray(['GET', 'POST', 'get']),
})

const endpoints = sparse({
  path: fc.constantFrom('/a', '/a/{id}', '/*'),
  methods: fc.array(
    fc.record({ name: fc.constantFrom('GET', 'POST'), limit: fc.record({ rate: rates, per: periods }) }),
    { maxLength: 2 },
  ),
})

const accessRight = sparse({
  versions: fc.subarray(['Default', 'v1', 'v2']),
  allowed_urls: fc.array(urls, { maxLength: 2 }),
  limit: limits,
  endpoints: fc.array(endpoints, { maxLength: 2 }),
})

const accessRights: fc.Arbitrary<WireObject> = fc
  .tuple(fc.subarray([...apiIds]), fc.array(accessRight, { minLength: 3, maxLength: 3 }))
  .map(([ids, rights]) => Object.fromEntries(ids.map((id, i) => [id, { api_id: id, ...rights[i] }])))

/** Sessions on the wire. */
export const wireSessions: fc.Arbitrary<WireObject> = fc
  .tuple(
    sparse({
      org_id: fc.constantFrom('org1', 'org2', ''),
      access_rights: accessRights,
      apply_policies: fc.subarray([...policyIds]),
      expires: fc.constantFrom(-1, 0, 1, 4_102_444_800),
      is_inactive: fc.boolean(),
      tags: fc.subarray(['a', 'b', 'c']),
      meta_data: fc.dictionary(fc.constantFrom('x', 'rate_limit_pattern', 'constructor'), fc.string(), { maxKeys: 2 }),
      alias: fc.string(),
      session_lifetime: fc.constantFrom(0, 60, 3600),
    }),
    limits,
  )
  .map(([session, own]) => ({ ...session, ...own }))

/** Policies on the wire, each with an id of its own kind. */
export const wirePolicies: fc.Arbitrary<WireObject> = fc
  .tuple(
    fc.record({ id: fc.constantFrom('gold', 'silver', 'free') }),
    sparse({
      org_id: fc.constantFrom('org1', 'org2'),
      access_rights: accessRights,
      partitions: sparse({
        quota: fc.boolean(),
        rate_limit: fc.boolean(),
        acl: fc.boolean(),
        per_api: fc.boolean(),
      }),
      is_inactive: fc.boolean(),
      tags: fc.subarray(['b', 'c', 'd']),
      meta_data: fc.dictionary(fc.constantFrom('x', 'y'), fc.string(), { maxKeys: 2 }),
      key_expires_in: fc.constantFrom(0, 60),
    }),
    limits,
  )
  .map(([id, policy, own]) => ({ ...policy, ...own, ...id }))

/** Sessions as the engine holds them. */
export const sessions: fc.Arbitrary<Session> = wireSessions.map((wire) => sessionShape.read(wire, [], []))

/** Policies as the engine holds them. */
export const policies: fc.Arbitrary<Policy> = wirePolicies.map((wire) => policyShape.read(wire, [], []))

/** A record whose fields are there or not. */
function sparse(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<WireObject> {
  const drawn = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, sometimes(value)]))
  return fc
    .record(drawn)
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)))
}
