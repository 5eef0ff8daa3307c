import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ApiLimit, Session } from '../../ports/session.ts'
import { parseSession, toWireSession } from '../session-json.ts'
import { applyPolicies } from './apply-policies.ts'
import { isHigherQuota } from './merge-limits.ts'
import { readPolicy } from './parse-policies.ts'
import type { Policy } from './policy.ts'
import { makePolicyBook, type PolicyBook } from './policy-book.ts'

const org = 'org1'
const apiIds = ['a', 'b', 'c']
const policyIds = ['p1', 'p2', 'p3', 'p4']
const small = fc.integer({ min: 0, max: 5 })
const quota = fc.constantFrom(-1, 0, 0, 1, 5, 100)
const limitValues = { rate: small, per: small, quota_max: quota, quota_renewal_rate: small }

const anyLimit = fc.record({ ...limitValues, throttle_retry_limit: small }, { requiredKeys: [] })
const anyRight = fc.record(
  {
    versions: fc.subarray(['Default', 'v1', 'v2']),
    allowed_urls: fc.array(
      fc.record({ url: fc.constantFrom('/x', '/y'), methods: fc.subarray(['GET', 'PUT'], { minLength: 1 }) }),
      { maxLength: 2 },
    ),
    limit: anyLimit,
    endpoints: fc.array(
      fc.record({
        path: fc.constantFrom('/e', '/f'),
        methods: fc
          .constantFrom('GET', 'PUT')
          .chain((name) => fc.record({ rate: small, per: small }).map((limit) => [{ name, limit }])),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
)
const anyRights = fc.dictionary(fc.constantFrom(...apiIds), anyRight, { maxKeys: 3 })
const whole = fc.constant({})
const parts = fc.record({
  quota: fc.boolean(),
  rate_limit: fc.boolean(),
  acl: fc.boolean(),
  complexity: fc.boolean(),
})
const perApi = fc.constant({ per_api: true })

function anyPolicy(id: string, partitions: fc.Arbitrary<object>): fc.Arbitrary<Policy> {
  return fc
    .record({
      ...limitValues,
      partitions,
      access_rights: anyRights,
      is_inactive: fc.boolean(),
      max_query_depth: small,
      tags: fc.subarray(['t1', 't2']),
      meta_data: fc.dictionary(fc.constantFrom('m', 'n'), small),
      last_updated: fc.constantFrom('', '1', '2'),
      post_expiry_action: fc.constantFrom('', 'retain', 'delete'),
    })
    .map((json) => {
      const read = readPolicy({ id, org_id: org, ...json })
      if ('problem' in read) throw new Error(read.problem)
      return read.policy
    })
}

function anyBook(partitions: fc.Arbitrary<object>): fc.Arbitrary<PolicyBook> {
  return fc.tuple(...policyIds.map((id) => anyPolicy(id, partitions))).map(makePolicyBook)
}

function anySession(names: readonly string[]): fc.Arbitrary<Session> {
  return fc
    .record({
      ...limitValues,
      access_rights: anyRights,
      apply_policies: fc.shuffledSubarray([...names]),
      is_inactive: fc.boolean(),
      tags: fc.subarray(['t1', 'own']),
      meta_data: fc.dictionary(fc.constantFrom('m', 'own'), small),
    })
    .map((json) => {
      const parsed = parseSession({ org_id: org, ...json })
      if (parsed.session === undefined) throw new Error(parsed.problem)
      return parsed.session
    })
}

const anyMix = anyBook(fc.oneof(whole, parts, perApi))
const anySharedMix = anyBook(fc.oneof(whole, parts))
const api = { orgId: org }

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) frozen(part)
    Object.freeze(value)
  }
  return value
}

const paceOf = ({ rate, per }: ApiLimit) => (rate > 0 && per > 0 ? per / rate : 0)

describe('applying policies', () => {
  test('is idempotent', () => {
    fc.assert(
      fc.property(anyMix, anySession([...policyIds, 'ghost']), (book, session) => {
        const once = applyPolicies(session, book, api)
        const twice = applyPolicies(once.session, book, api)
        expect(twice.problem).toBe(once.problem)
        expect(toWireSession(twice.session)).toEqual(toWireSession(once.session))
      }),
      { numRuns: 1000 },
    )
  })

  test('gives the same result after the session was stored and read', () => {
    fc.assert(
      fc.property(anyMix, anySession(policyIds), (book, session) => {
        const once = toWireSession(applyPolicies(session, book, api).session)
        const read = parseSession(JSON.parse(JSON.stringify(once))).session as Session
        expect(toWireSession(applyPolicies(read, book, api).session)).toEqual(once)
      }),
      { numRuns: 500 },
    )
  })

  test('changes neither the given session nor the policies', () => {
    fc.assert(
      fc.property(anyMix, anySession(policyIds), (book, session) => {
        for (const policy of book.policies) frozen(policy)
        applyPolicies(frozen(session), book, api)
      }),
      { numRuns: 500 },
    )
  })

  test('in another order grants the same APIs with equivalent limits, if no policy is per_api', () => {
    const named = (session: Session, book: PolicyBook, names: string[]) =>
      applyPolicies({ ...session, applyPolicies: names }, book, api)
    fc.assert(
      fc.property(anySharedMix, anySession(policyIds), fc.context(), (book, session, context) => {
        const names = (session.applyPolicies ?? []).filter(
          (id) => Object.keys(book.get(id)?.accessRights ?? {}).length > 0,
        )
        const forward = named(session, book, names)
        const backward = named(session, book, names.toReversed())
        context.log(JSON.stringify([toWireSession(forward.session), toWireSession(backward.session)]))
        expect(backward.problem).toBe(forward.problem)
        if (forward.problem !== undefined || names.length === 0) return
        const rights = forward.session.accessRights ?? {}
        expect(Object.keys(backward.session.accessRights ?? {}).toSorted()).toEqual(Object.keys(rights).toSorted())
        for (const [apiId, right] of Object.entries(rights)) {
          const other = backward.session.accessRights?.[apiId]?.limit as ApiLimit
          expect(paceOf(other)).toBe(paceOf(right.limit))
          expect(other.quotaMax).toBe(right.limit.quotaMax)
          expect(other.quotaRenewalRate).toBe(right.limit.quotaRenewalRate)
        }
        expect(backward.session.isInactive).toBe(forward.session.isInactive)
        expect(backward.session.tags?.toSorted()).toEqual(forward.session.tags?.toSorted())
      }),
      { numRuns: 1000 },
    )
  })

  test('with one more unpartitioned policy never lowers a quota or removes an API', () => {
    fc.assert(
      fc.property(anyBook(whole), anySession(policyIds), (book, session) => {
        const names = (session.applyPolicies ?? []).filter(
          (id) => Object.keys(book.get(id)?.accessRights ?? {}).length > 0,
        )
        fc.pre(names.length > 1)
        const fewer = applyPolicies({ ...session, applyPolicies: names.slice(1) }, book, api).session
        const more = applyPolicies({ ...session, applyPolicies: names }, book, api).session
        for (const [apiId, right] of Object.entries(fewer.accessRights ?? {})) {
          const raised = more.accessRights?.[apiId]?.limit
          expect(raised).toBeDefined()
          expect(isHigherQuota(right.limit.quotaMax, (raised as ApiLimit).quotaMax)).toBe(false)
        }
      }),
      { numRuns: 500 },
    )
  })
})
