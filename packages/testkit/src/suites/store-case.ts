/**
 * Cases of a port's suite as values, so that they can be run against a store that is known to be wrong as well: a suite
 * is worth what it catches (`store-suite-mutants.test.ts`).
 */
import { it } from 'vitest'
import { type MakeStore, type StoreUnderTest, withStore } from './store-suite.ts'

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
