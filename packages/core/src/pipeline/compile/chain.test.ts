import { describe, expect, it } from 'vitest'
import { fakeCompileContext, fakeContext } from '../../../test/support/pipeline/fake-compile-context.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { phases } from '../contract/phase.ts'
import type { OrderEntry, ResponseStage, Stage } from '../contract/stage.ts'
import { stageOrder } from '../stage-order.ts'
import { makeChain, runChain } from './chain.ts'
import { limitsChainOf } from './limits-chain.ts'

const ok = (): GatewayResponse => ({ status: 200, headers: [], body: '' })

/** A response stage that adds its name to the header `seen`. */
function noting(name: string, flags: Partial<ResponseStage> = {}): OrderEntry<ResponseStage> {
  return {
    name,
    phase: '6-shape-response',
    make: () => ({
      ...flags,
      run(_context, response) {
        response.headers.push('seen', name)
        return response
      },
    }),
  }
}

function answering(fromCache: boolean): OrderEntry<Stage> {
  return {
    name: 'answering',
    phase: '5-respond',
    make: () => ({
      run(context) {
        context.shaped = fromCache
        return ok()
      },
    }),
  }
}

async function seenBy(responses: readonly OrderEntry<ResponseStage>[], fromCache: boolean): Promise<string[]> {
  const compileContext = fakeCompileContext({})
  const chain = makeChain(compileContext, { stages: [answering(fromCache)], responses, records: [] })
  const { headers } = await runChain(chain, fakeContext(compileContext))
  return headers.filter((_, i) => i % 2 === 1)
}

describe('responses from the cache', () => {
  const responses = [noting('first'), noting('any-name', { resumesCached: true }), noting('last')]

  it('continue after the stage with resumesCached', async () => {
    expect(await seenBy(responses, false)).toEqual(['first', 'any-name', 'last'])
    expect(await seenBy(responses, true)).toEqual(['last'])
  })

  it('pass all response stages if none has resumesCached', async () => {
    expect(await seenBy([noting('first'), noting('last')], true)).toEqual(['first', 'last'])
  })

  it('continue after exactly one stage of the order', () => {
    const settings = { cache: { maxBytes: 1000, maxBodyBytes: 1000 } }
    const cached = fakeCompileContext(
      { cache_options: { enable_cache: true, cache_all_safe_requests: true } },
      {},
      {},
      { settings },
    )
    const { responses: made } = makeChain(cached, { ...stageOrder, stages: [], records: [] })
    expect(made.filter((stage) => stage.resumesCached).map(({ name }) => name)).toEqual(['cache-write'])
  })
})

describe('the chain for requests that read limits', () => {
  it('runs the stages of 2-identify and those with runsForLimits, in their order', () => {
    const compileContext = fakeCompileContext({})
    const stages = phases.flatMap((phase): OrderEntry<Stage>[] => [
      { name: `${phase} flagged`, phase, make: () => ({ runsForLimits: true, run: () => undefined }) },
      { name: `${phase} other`, phase, make: () => ({ run: () => undefined }) },
    ])
    const chain = makeChain(compileContext, { stages: stages.slice(0, 6), responses: [noting('first')], records: [] })
    const limits = limitsChainOf(chain, compileContext.services)
    expect(limits.stages.map(({ name }) => name)).toEqual([
      '1-accept flagged',
      '2-identify flagged',
      '2-identify other',
      '3-admit flagged',
      'show-limits',
    ])
    expect(limits.responses).toEqual([])
  })
})
