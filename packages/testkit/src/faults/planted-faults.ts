/**
 * All faults planted into what one node does; those of clusters are in @turnpike/cluster-sim. The laws are only worth
 * what they catch of these: `faults.test.ts` holds them to it, and docs/verification-faults.md lists them.
 */
import { answerFaults } from './answer-faults.ts'
import { batchFaults } from './batch-faults.ts'
import { countingFaults } from './counting-faults.ts'
import { crashFaults } from './crash-faults.ts'
import type { PlantedFault } from './fault.ts'
import { keyFaults } from './key-faults.ts'
import { cacheFaults } from './law-19-cache-faults.ts'
import { orderFaults } from './order-faults.ts'
import { quotaFaults } from './quota-faults.ts'
import { spentOnceFaults } from './spent-once-faults.ts'
import { textbookFaults } from './textbook-faults.ts'

/** Faults of limiters and quotas: quick to find. */
export const counterFaults: readonly PlantedFault[] = [
  ...countingFaults,
  ...answerFaults,
  ...textbookFaults,
  ...quotaFaults,
]

/** Every fault of one node. */
export const plantedFaults: readonly PlantedFault[] = [
  ...counterFaults,
  ...crashFaults,
  ...batchFaults,
  ...orderFaults,
  ...keyFaults,
  ...spentOnceFaults,
  ...cacheFaults,
]
