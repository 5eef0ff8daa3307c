/** All planted faults. The laws are only worth what they catch of these; `faults.test.ts` holds them to it. */
import { answerFaults } from './answer-faults.ts'
import { countingFaults } from './counting-faults.ts'
import type { PlantedFault } from './fault.ts'
import { quotaFaults } from './quota-faults.ts'
import { textbookFaults } from './textbook-faults.ts'

export const plantedFaults: readonly PlantedFault[] = [
  ...countingFaults,
  ...answerFaults,
  ...textbookFaults,
  ...quotaFaults,
]
