/**
 * Checks what every store must do. An adapter runs it as its test suite:
 *
 *     storeSuite('lmdb', async () => ({ store, pass, cleanup, reopen }))
 *
 * The parts are `store-sessions.ts`, `store-quotas.ts`, `store-rates.ts`, `store-responses.ts`, `store-records.ts` and
 * `store-lists.ts`. Each test uses new names for counters and sessions, so tests may share a store. Time
 * advances in whole seconds, so a store may use its own clock.
 */
import type { RateAlgorithm } from '@turnpike/core/ports'
import { describe, expect } from 'vitest'
import { declareCases, type MakeStore } from './store-case.ts'
import { listCases } from './store-lists.ts'
import { consumeCases, quotaCases } from './store-quotas.ts'
import { rateCases } from './store-rates.ts'
import { recordCases } from './store-records.ts'
import { responseCases } from './store-responses.ts'
import { sessionCases } from './store-sessions.ts'

export { freshName, type MakeStore, type StoreUnderTest } from './store-case.ts'

export interface StoreSuiteOptions {
  /** Rate algorithms that the store supports. Default: all. */
  readonly algorithms?: readonly RateAlgorithm[]
}

/** Declares the suite under the store's name. */
export function storeSuite(name: string, make: MakeStore, options: StoreSuiteOptions = {}): void {
  describe(`store: ${name}`, () => {
    describe('sessions', () => declareCases(make, sessionCases))
    describe('quotas', () => declareCases(make, quotaCases))
    describe('rate and quota together', () => declareCases(make, consumeCases))
    describe('cached responses', () => declareCases(make, responseCases))
    describe('records', () => declareCases(make, recordCases))
    describe('lists', () => declareCases(make, listCases))
    for (const algorithm of options.algorithms ?? (['local', 'rolling', 'sentinel', 'fixed'] as const)) {
      describe(`rates, ${algorithm}`, () => declareCases(make, rateCases(algorithm)))
    }
    declareCases(make, {
      'reports that it is healthy': async ({ store }) => expect(await store.check()).toEqual({ ok: true }),
    })
  })
}
