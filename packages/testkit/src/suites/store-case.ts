/**
 * Cases of a port's suite as values, so that `store-suite-mutants.test.ts` can also run them against incorrect stores.
 */
import type { Millis } from '@turnpike/core/lib'
import type { Store } from '@turnpike/core/ports'
import { it } from 'vitest'

/** A store under test. */
export interface StoreUnderTest {
  readonly store: Store
  /** Lets time pass for the store: advances its virtual clock, or waits. */
  pass(ms: Millis): void | Promise<void>
  /** Closes the store and deletes its data. */
  cleanup(): Promise<void>
  /**
   * Opens a second store on the same data as if the process had been killed: without `close` on the first. Omitted if
   * data ends with the process.
   */
  reopen?(): Promise<Store>
}

export type MakeStore = () => Promise<StoreUnderTest>

/** Cases of a suite by name, which is a sentence about the subject. A case rejects if the sentence is not true. */
export type Cases<UnderTest> = Readonly<Record<string, (underTest: UnderTest) => Promise<void>>>

export type StoreCases = Cases<StoreUnderTest>

/** Declares the cases as tests. Each runs on a new subject, which is always cleaned up. */
export function declareCases<T extends { cleanup(): Promise<void> }>(make: () => Promise<T>, cases: Cases<T>): void {
  for (const [name, run] of Object.entries(cases)) {
    it(name, async () => {
      const underTest = await make()
      try {
        await run(underTest)
      } finally {
        await underTest.cleanup()
      }
    })
  }
}

let serial = 0

/** Returns a name that no other test uses, even if other processes test the same store. */
export function freshName(stem: string): string {
  serial += 1
  return `${stem}-${process.pid}-${Date.now().toString(36)}-${serial}`
}
