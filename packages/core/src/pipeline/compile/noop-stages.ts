/** Proves the seam: with a stage that does nothing between all stages, every behaviour stays the same. */

import type { MakeResponseStage, MakeStage } from '../contract/stage.ts'
import type { StageOrder } from '../order.ts'

/** The order with a no-op stage before, between and after all stages; every other one takes its time. */
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
      run: (_context, answer) => (slow ? Promise.resolve(answer) : answer),
    })
  }
  return {
    stages: order.stages.flatMap((make) => [noop(), make]),
    responses: order.responses.flatMap((make) => [responseNoop(), make, responseNoop()]),
    records: order.records,
  }
}
