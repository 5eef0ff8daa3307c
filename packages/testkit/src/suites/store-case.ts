/**
 * Cases of a port's suite as values, so that `store-suite-mutants.test.ts` can also run them against incorrect stores.
 */
import type { Millis, Store } from '@turnpike/core'
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

export interface StoreCase {
  /** What the store does, as a sentence. */
  readonly name: string
  /** Rejects if the store does not. */
  run(underTest: StoreUnderTest): Promise<void>
}

/** Declares the cases as tests, each on its own store. */
export function storeTests(make: MakeStore, cases: readonly StoreCase[]): void {
  for (const { name, run } of cases) it(name, () => withStore(make, run))
}

/** Runs a test against a new store and always cleans up. */
export async function withStore(make: MakeStore, test: (underTest: StoreUnderTest) => Promise<void>): Promise<void> {
  const underTest = await make()
  try {
    await test(underTest)
  } finally {
    await underTest.cleanup()
  }
}

let serial = 0

/** Returns a name that no other test uses, even if other processes test the same store. */
export function freshName(stem: string): string {
  serial += 1
  return `${stem}-${process.pid}-${Date.now().toString(36)}-${serial}`
}
