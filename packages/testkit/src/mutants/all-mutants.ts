/**
 * All mutants (seeded bugs) of one node; those of clusters are in @turnpike/cluster-sim. A property is only as good as
 * the mutants that it detects: `mutants.test.ts` checks them, and docs/verification-mutants.md lists them.
 */

import type { ManagementUnderTest } from '../properties/subjects/management-under-test.ts'
import { batchMutants } from './batch-mutants.ts'
import { cacheMutants } from './cache-mutants.ts'
import { crashMutants } from './crash-mutants.ts'
import { keyMutants } from './key-mutants.ts'
import type { Mutant } from './mutant.ts'
import { orderMutants } from './order-mutants.ts'
import { quotaMutants } from './quota-mutants.ts'
import { rateMutants } from './rate-mutants.ts'
import { singleUseMutants } from './single-use-mutants.ts'
import { textbookMutants } from './textbook-mutants.ts'
import { throttlingMutants } from './throttling-mutants.ts'

/** Mutants of limiters and quotas, which are fast to detect. */
export const counterMutants: readonly Mutant[] = [...rateMutants, ...textbookMutants, ...quotaMutants]

/** Every mutant of one node. */
export function singleNodeMutants(management: ManagementUnderTest): readonly Mutant[] {
  return [
    ...counterMutants,
    ...crashMutants,
    ...batchMutants(management.makeBatchEndpoint),
    ...orderMutants,
    ...keyMutants,
    ...singleUseMutants(management.makeOAuthServer),
    ...cacheMutants,
    ...throttlingMutants,
  ]
}
