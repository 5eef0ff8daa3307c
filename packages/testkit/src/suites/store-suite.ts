/**
 * What every store must do, as a suite to run against an adapter:
 *
 *     storeSuite('lmdb', async () => ({ store, pass, cleanup, reopen }))
 *
 * The parts are `store-sessions.ts`, `store-quotas.ts`, `store-rates.ts`, `store-responses.ts`, `store-records.ts` and
 * `store-lists.ts`. Names of counters and sessions are new in each test, so a store may be shared; time is passed in whole seconds, so a store with a clock of its own will do.
 */
import type { Millis, RateAlgorithm, Store } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { storeTests } from './store-case.ts'
import { listCases } from './store-lists.ts'
import { consumeTests, quotaTests } from './store-quotas.ts'
import { rateTests } from './store-rates.ts'
import { recordCases } from './store-records.ts'
import { responseTests } from './store-responses.ts'
import { sessionTests } from './store-sessions.ts'

/** A store under test. */
export interface StoreUnderTest {
  readonly store: Store
  /** Lets time pass for the store: advances its virtual clock, or waits. */
  pass(ms: Millis): void | Promise<void>
  /** Closes the store and takes away what it left. */
  cleanup(): Promise<void>
  /**
   * Opens a second store on the same data as if the process had been killed: without `close` on the first.
   * Left out where data ends with the process.
   */
  reopen?(): Promise<Store>
}

export type MakeStore = () => Promise<StoreUnderTest>

export interface StoreSuiteOptions {
  /** Rate algorithms that the store knows. Default: all. */
  readonly algorithms?: readonly RateAlgorithm[]
}

/** Declares the suite under the store's name. */
export function storeSuite(name: string, make: MakeStore, options: StoreSuiteOptions = {}): void {
  describe(`store: ${name}`, () => {
    describe('sessions', () => sessionTests(make))
    describe('quotas', () => quotaTests(make))
    describe('rate and quota together', () => consumeTests(make))
    describe('cached answers', () => responseTests(make))
    describe('records', () => storeTests(make, recordCases))
    describe('lists', () => storeTests(make, listCases))
    for (const algorithm of options.algorithms ?? (['local', 'rolling', 'sentinel', 'fixed'] as const)) {
      describe(`rates, ${algorithm}`, () => rateTests(make, algorithm))
    }
    it('says that it is well', async () => {
      await withStore(make, async ({ store }) => expect(await store.check()).toEqual({ ok: true }))
    })
  })
}

/** Runs a test against a fresh store and cleans up whatever happens. */
export async function withStore(make: MakeStore, test: (underTest: StoreUnderTest) => Promise<void>): Promise<void> {
  const underTest = await make()
  try {
    await test(underTest)
  } finally {
    await underTest.cleanup()
  }
}

let serial = 0

/** A name that no other test uses, also in a store that other processes test at the same time. */
export function freshName(stem: string): string {
  serial += 1
  return `${stem}-${process.pid}-${Date.now().toString(36)}-${serial}`
}
