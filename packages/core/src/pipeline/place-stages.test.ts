import { describe, expect, expectTypeOf, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../test/support/test-engine.ts'
import { withNoopStages } from './compile/noop-stages.ts'
import type { Phase } from './contract/phase.ts'
import type { MakeStage } from './contract/stage.ts'
import { type StageName, stageOrder } from './order.ts'
import { placeStages, type StagePlugin, type StagePlugins } from './place-stages.ts'

const stage =
  (name: string, phase: Phase, seen: string[] = []): MakeStage =>
  () => ({
    name,
    phase,
    run() {
      seen.push(name)
      return undefined
    },
  })

const engineWith = (plugins: StagePlugins, order = stageOrder) =>
  makeTestEngine({ definitions: [definitionOf('a')], engine: { order: placeStages(order, plugins) } })

describe('stages of other packages', () => {
  it.each([
    ['the order', stageOrder],
    ['the order with stages between its stages', withNoopStages(stageOrder)],
  ])('run beside their anchors, several in their order, in %s', async (_, order) => {
    const seen: string[] = []
    const test = await engineWith(
      {
        stages: [
          { after: 'ip-filter', make: stage('first', '1-accept', seen) },
          { before: 'forward', make: stage('last', '5-respond', seen) },
          { after: 'ip-filter', make: stage('second', '1-accept', seen) },
        ],
      },
      order,
    )
    expect(await test.send('GET', '/a/x')).toMatchObject({ status: 200 })
    expect(seen).toEqual(['first', 'second', 'last'])
  })

  it('can respond, reject, and be absent for an API', async () => {
    const test = await engineWith({
      stages: [
        { after: 'cors', make: () => null },
        {
          before: 'mock-from-document',
          make: () => ({
            name: 'teapot',
            phase: '5-respond',
            run: ({ path }) => (path === '/tea' ? { status: 418, headers: [], body: 'short and stout' } : undefined),
          }),
        },
      ],
    })
    expect(await test.send('GET', '/a/tea')).toMatchObject({ status: 418, body: 'short and stout' })
    expect(await test.send('GET', '/a/coffee')).toMatchObject({ status: 200 })
  })

  it('can belong to either phase at a boundary between two phases', () => {
    const at = (phase: Phase): StagePlugins => ({ stages: [{ after: 'resource-metadata', make: stage('x', phase) }] })
    for (const phase of ['1-accept', '2-identify'] as const) expect(() => made(at(phase))).not.toThrow()
    expect(() => made(at('3-admit'))).toThrow(
      'the stage x is of phase 3-admit, but its place is in 1-accept or 2-identify',
    )
  })

  it('are rejected at load if they are inside another phase', async () => {
    const plugins: StagePlugins = { stages: [{ after: 'cors', make: stage('x', '3-admit') }] }
    await expect(engineWith(plugins)).rejects.toThrow('the stage x is of phase 3-admit, but its place is in 1-accept')
  })

  it('for responses change responses', async () => {
    const test = await engineWith({
      responseStages: [
        {
          after: 'cache-write',
          make: () => ({
            name: 'signed',
            phase: '6-shape-response',
            run: (_context, response) => ({ ...response, headers: [...response.headers, 'x-signed', 'yes'] }),
          }),
        },
      ],
    })
    expect((await test.send('GET', '/a/x')).headers).toContain('x-signed')
  })

  it('have anchors that the compiler checks', () => {
    expectTypeOf<'key-acess'>().not.toExtend<StageName>()
    expectTypeOf<{ after: 'cors'; make: MakeStage }>().toExtend<StagePlugin>()
    // @ts-expect-error: a misspelt anchor does not compile
    const wrong: StagePlugin = { after: 'cros', make: () => null }
    expect(() => placeStages(stageOrder, { stages: [wrong] })).toThrow('the order has no stage named cros')
  })
})

/** Makes every stage, as the compilation of an API does. */
function made(plugins: StagePlugins): void {
  const own = new Set(stageOrder.stages)
  for (const make of placeStages(stageOrder, plugins).stages) if (!own.has(make)) make({} as never)
}
