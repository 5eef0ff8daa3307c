/** Property 18 for sign-on tokens, at the calls that create and use them, with mutants that the property must detect. */
import type { RecordStore } from '@turnpike/core/ports'
import { checkProperty, expectProperty, type SingleUseSubject, singleUseProperty } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { makeTestDashboard } from '../../test/test-dashboard.ts'

type AroundRecords = (real: RecordStore) => Partial<RecordStore>

/** A token for the wrong section is gone as well, so no try is wrong without spending. */
function tokensSubject(name: string, records: AroundRecords = () => ({})): SingleUseSubject {
  return {
    name,
    lifetimeMs: 60_000,
    hasChecks: false,
    async make() {
      const { token, call, clock } = await makeTestDashboard({ records })
      return {
        issue: () => token(),
        redeem: async (nonce) => (await call('GET', `/tap?nonce=${nonce}`)).status === 302,
        wait: (ms) => clock.advance(ms),
      }
    },
  }
}

const turns = async (count: number) => {
  for (let i = 0; i < count; i += 1) await Promise.resolve()
}

const slowRecords: AroundRecords = (real) => ({
  async add(name, text, lifetimeMs) {
    await turns(3)
    return real.add(name, text, lifetimeMs)
  },
  async take(name) {
    await turns(3)
    return real.take(name)
  },
})

const mutants: Readonly<Record<string, AroundRecords>> = {
  'is looked at first and taken later': (real) => ({
    async take(name) {
      const text = await real.get(name)
      await turns(2)
      await real.remove(name)
      return text
    },
  }),
  'stays where it is': (real) => ({ take: (name) => real.get(name) }),
  'lives a second too long': (real) => ({
    add: (name, text, lifetimeMs) => real.add(name, text, (lifetimeMs ?? 0) + 1000),
  }),
  'lives a second too short': (real) => ({
    add: (name, text, lifetimeMs) => real.add(name, text, (lifetimeMs ?? 0) - 1000),
  }),
  'lives for good': (real) => ({ add: (name, text) => real.add(name, text) }),
  'a read extends its lifetime': (real) => ({
    async take(name) {
      const text = await real.take(name)
      if (text !== undefined) void turns(5).then(() => real.add(name, text, 60_000))
      return text
    },
  }),
}

describe(`property 18, ${singleUseProperty.statement}`, () => {
  const requests = process.env['CI'] === undefined ? 500 : 3_000
  it.each([tokensSubject('sign-on tokens'), tokensSubject('sign-on tokens, slow store', slowRecords)])(
    '$name',
    async (subject) => {
      await expectProperty(singleUseProperty, subject, { requests })
    },
  )

  it.each(Object.entries(mutants))('catches a token that %s', async (what, around) => {
    const report = await checkProperty(singleUseProperty, tokensSubject(what, around), { requests: 2_000, seed: 1 })
    expect(report.holds).toBe(false)
  })
})
