/** For tests: inserting stages that do nothing between all stages must not change any behaviour. */

import type { OrderEntry, ResponseStage, Stage } from '../contract/stage.ts'
import type { StageOrder } from '../stage-order.ts'

/** Adds a no-op stage before, between and after all stages. Every second one is asynchronous. */
export function withNoopStages(order: StageOrder): StageOrder {
  let count = 0
  const later = () => count++ % 2 === 1
  const noop = (): OrderEntry<Stage> => {
    const slow = later()
    return {
      name: 'noop',
      phase: '1-accept',
      make: () => ({ run: () => (slow ? Promise.resolve(undefined) : undefined) }),
    }
  }
  const responseNoop = (): OrderEntry<ResponseStage> => {
    const slow = later()
    return {
      name: 'noop',
      phase: '6-shape-response',
      make: () => ({ run: (_context, response) => (slow ? Promise.resolve(response) : response) }),
    }
  }
  return {
    stages: order.stages.flatMap((entry) => [noop(), entry]),
    responses: order.responses.flatMap((entry) => [responseNoop(), entry, responseNoop()]),
    records: order.records,
  }
}
