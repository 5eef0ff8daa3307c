import { expect, it } from 'vitest'
import { fakeCompileContext, fakeContext } from '../../../test/support/pipeline/fake-compile-context.ts'
import type { OrderEntry, Stage } from '../contract/stage.ts'
import { makeTrace } from '../contract/stage-trace.ts'
import { makeChain } from './chain.ts'
import { tracedChainOf } from './traced-chain.ts'

const responds: OrderEntry<Stage> = {
  name: 'responds',
  phase: '5-respond',
  make: () => ({ run: () => ({ status: 200, headers: [], body: '' }) }),
}

it('is made once per chain, and each request reports to its own trace', async () => {
  const compileContext = fakeCompileContext({})
  const chain = makeChain(compileContext, { stages: [responds], responses: [], records: [] })
  const traced = tracedChainOf(chain)
  expect(tracedChainOf(chain)).toBe(traced)
  for (let i = 0; i < 2; i++) {
    const trace = makeTrace(false, () => 0)
    await traced.stages[0]?.run(Object.assign(fakeContext(compileContext), { trace }))
    expect(trace.stages).toMatchObject([{ stage: 'responds', phase: '5-respond', verdict: 'responds: 200' }])
  }
})
