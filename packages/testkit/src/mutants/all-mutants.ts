/**
 * All faults planted into what one node does; those of clusters are in @turnpike/cluster-sim. The properties are only worth
 * what they catch of these: `mutants.test.ts` holds them to it, and docs/verification-mutants.md lists them.
 */

import { batchMutants } from './batch-mutants.ts'
import { cacheMutants } from './cache-mutants.ts'
import { countingMutants } from './counting-mutants.ts'
import { crashMutants } from './crash-mutants.ts'
import { keyMutants } from './key-mutants.ts'
import type { Mutant } from './mutant.ts'
import { orderMutants } from './order-mutants.ts'
import { quotaMutants } from './quota-mutants.ts'
import { rateResultMutants } from './rate-result-mutants.ts'
import { singleUseMutants } from './single-use-mutants.ts'
import { textbookMutants } from './textbook-mutants.ts'

/** Faults of limiters and quotas: quick to find. */
export const counterMutants: readonly Mutant[] = [
  ...countingMutants,
  ...rateResultMutants,
  ...textbookMutants,
  ...quotaMutants,
]

/** Every fault of one node. */
export const singleNodeMutants: readonly Mutant[] = [
  ...counterMutants,
  ...crashMutants,
  ...batchMutants,
  ...orderMutants,
  ...keyMutants,
  ...singleUseMutants,
  ...cacheMutants,
]
