/**
 * Checks what every store must do. An adapter runs it as its test suite:
 *
 *     storeSuite('lmdb', async () => ({ store, pass, cleanup, reopen }))
 *
 * The parts are `store-sessions.ts`, `store-quotas.ts`, `store-rates.ts`, `store-responses.ts`, `store-records.ts` and
 * `store-lists.ts`. Each test uses new names for counters and sessions, so tests may share a store. Time
 * advances in whole seconds, so a store may use its own clock.
 */
import type { RateAlgorithm } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { type MakeStore, storeTests, withStore } from './store-case.ts'
import { listCases } from './store-lists.ts'
import { consumeTests, quotaTests } from './store-quotas.ts'
import { rateTests } from './store-rates.ts'
import { recordCases } from './store-records.ts'
import { responseTests } from './store-responses.ts'
import { sessionTests } from './store-sessions.ts'

export { freshName, type MakeStore, type StoreUnderTest, withStore } from './store-case.ts'

export interface StoreSuiteOptions {
  /** Rate algorithms that the store supports. Default: all. */
  readonly algorithms?: readonly RateAlgorithm[]
}

/** Declares the suite under the store's name. */
export function storeSuite(name: string, make: MakeStore, options: StoreSuiteOptions = {}): void {
  describe(`store: ${name}`, () => {
    describe('sessions', () => sessionTests(make))
    describe('quotas', () => quotaTests(make))
    describe('rate and quota together', () => consumeTests(make))
    describe('cached responses', () => responseTests(make))
    describe('records', () => storeTests(make, recordCases))
    describe('lists', () => storeTests(make, listCases))
    for (const algorithm of options.algorithms ?? (['local', 'rolling', 'sentinel', 'fixed'] as const)) {
      describe(`rates, ${algorithm}`, () => rateTests(make, algorithm))
    }
    it('reports that it is healthy', async () => {
      await withStore(make, async ({ store }) => expect(await store.check()).toEqual({ ok: true }))
    })
  })
}
