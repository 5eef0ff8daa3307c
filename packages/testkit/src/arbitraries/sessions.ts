/** Generates sessions and policies with few distinct names, so that they often share, overlap or contradict each other. */
import { type Session, sessionShape } from '@turnpike/core/ports'
import { type Policy, policyShape } from '@turnpike/core/session'
import fc from 'fast-check'

/** A JSON object in the format of the management API. */
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

/** Generates sessions in the format of the management API. */
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

/** Generates policies in the format of policy files. */
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

/** Generates sessions in the internal format of the engine. */
export const sessions: fc.Arbitrary<Session> = wireSessions.map((wire) => sessionShape.read(wire, [], []))

/** Generates policies in the internal format of the engine. */
export const policies: fc.Arbitrary<Policy> = wirePolicies.map((wire) => policyShape.read(wire, [], []))

/** Generates records with a random subset of the fields. */
function sparse(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<WireObject> {
  const drawn = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, sometimes(value)]))
  return fc
    .record(drawn)
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)))
}
