/** A gateway with its own definitions, keys and limits, on which a scenario runs in place of the keys that it names. */

import type { PlannedLimit, RequestStep } from '../run/plan.ts'
import type { SimulatedGateway } from '../run/simulated-gateway.ts'
import type { Participant } from '../simulation/network.ts'
import type { Prng } from '../simulation/prng.ts'
import type { Scenario } from './scenario.ts'

export interface ScenarioSubject {
  readonly gateway: SimulatedGateway
  /** The limits that the check `bound` compares with. */
  readonly limits: readonly PlannedLimit[]
  /** Generates the requests of all keys during the scenario, in any order of time. */
  load(scenario: Scenario, nodes: readonly Participant[], prng: Prng): RequestStep[]
}
