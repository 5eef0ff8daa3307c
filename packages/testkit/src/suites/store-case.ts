/**
 * Cases of a port's suite as values, so that they can be run against a store that is known to be wrong as well: a suite
 * is worth what it catches (`store-suite-mutants.test.ts`).
 */
import type { Millis, Store } from '@turnpike/core'
import { it } from 'vitest'

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

export interface StoreCase {
  /** What the store does, as a sentence. */
  readonly name: string
  /** Rejects when it does not. */
  run(underTest: StoreUnderTest): Promise<void>
}

/** Declares the cases as tests, each on a store of its own. */
export function storeTests(make: MakeStore, cases: readonly StoreCase[]): void {
  for (const { name, run } of cases) it(name, () => withStore(make, run))
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
