/** For tests: inserting stages that do nothing between all stages must not change any behaviour. */

import type { MakeResponseStage, MakeStage } from '../contract/stage.ts'
import type { StageOrder } from '../order.ts'

/** Adds a no-op stage before, between and after all stages. Every second one is asynchronous. */
export function withNoopStages(order: StageOrder): StageOrder {
  let count = 0
  const later = () => count++ % 2 === 1
  const noop = (): MakeStage => {
    const slow = later()
    return () => ({ name: 'noop', phase: '1-accept', run: () => (slow ? Promise.resolve(undefined) : undefined) })
  }
  const responseNoop = (): MakeResponseStage => {
    const slow = later()
    return () => ({
      name: 'noop',
      phase: '6-shape-response',
      run: (_context, response) => (slow ? Promise.resolve(response) : response),
    })
  }
  return {
    stages: order.stages.flatMap((make) => [noop(), make]),
    responses: order.responses.flatMap((make) => [responseNoop(), make, responseNoop()]),
    records: order.records,
  }
}
