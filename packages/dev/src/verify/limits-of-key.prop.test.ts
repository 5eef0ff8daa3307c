/** Compares the model of policies that guarantees are derived from with the engine's result. */
import { apiLimitShape, sessionShape } from '@turnpike/core/ports'
import { applyPolicies, makePolicyBook, policyShape } from '@turnpike/core/session'
import { policies as anyPolicies } from '@turnpike/testkit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { limitsOfKey } from './limits-of-key.ts'

// Generates only values that a guarantee can express: whole limits, and policies that can be combined.
const policies = anyPolicies.map((policy) => ({
  ...policy,
  ...(policy.rate > 0 && policy.per > 0 ? {} : { rate: 0, per: 0 }),
  ...{ throttleInterval: 0, throttleRetryLimit: 0, maxQueryDepth: 0 },
  orgId: 'org1',
  partitions: { ...policy.partitions, perApi: false },
  metaData: null,
}))

it('the same rate, quota and APIs come of any policies', () => {
  fc.assert(
    fc.property(fc.array(policies, { minLength: 1, maxLength: 3 }), (drawn) => {
      const named = drawn.map((policy, i) => ({ ...policyShape.zero(), ...policy, id: `p${i}`, databaseId: '' }))
      const session = sessionShape.read({ org_id: 'org1', apply_policies: named.map(({ id }) => id) }, [], [])
      const applied = applyPolicies(session, makePolicyBook(named), { orgId: 'org1' })
      const plan = { words: '', name: '', document: {}, session, policies: named, source: 'seed' as const }
      if (applied.problem !== undefined) return
      const rights = applied.session.accessRights ?? {}
      const read = limitsOfKey(plan)
      expect([...read.keys()].sort()).toEqual(Object.keys(rights).sort())
      for (const [apiId, right] of Object.entries(rights)) {
        const { rate, per, quotaMax, quotaRenewalRate } = apiLimitShape.isZero(right.limit)
          ? applied.session
          : right.limit
        const limits = read.get(apiId)
        expect(limits?.rate).toEqual(rate > 0 && per > 0 ? { count: rate, seconds: per } : undefined)
        expect(limits?.quota).toEqual(
          quotaMax > 0 ? { count: quotaMax, seconds: Math.max(0, quotaRenewalRate) } : undefined,
        )
        expect(limits?.scope).toBe(right.allowanceScope)
      }
    }),
    { numRuns: 500, seed: 1 },
  )
})
