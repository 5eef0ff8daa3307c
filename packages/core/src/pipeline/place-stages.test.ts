import { describe, expect, expectTypeOf, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../test/support/test-engine.ts'
import { withNoopStages } from './compile/noop-stages.ts'
import type { Phase } from './contract/phase.ts'
import type { OrderEntry, Stage } from './contract/stage.ts'
import { placeStages, type StagePlugin, type StagePlugins } from './place-stages.ts'
import { type StageName, stageOrder } from './stage-order.ts'

const stage = (name: string, phase: Phase, seen: string[]): OrderEntry<Stage> => ({
  name,
  phase,
  make: () => ({
    run() {
      seen.push(name)
      return undefined
    },
  }),
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
          { after: 'ip-filter', ...stage('first', '1-accept', seen) },
          { before: 'forward', ...stage('last', '5-respond', seen) },
          { after: 'ip-filter', ...stage('second', '1-accept', seen) },
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
        { after: 'cors', name: 'absent', phase: '1-accept', make: () => null },
        {
          before: 'mock-from-document',
          name: 'teapot',
          phase: '5-respond',
          make: () => ({
            run: ({ path }) => (path === '/tea' ? { status: 418, headers: [], body: 'short and stout' } : undefined),
          }),
        },
      ],
    })
    expect(await test.send('GET', '/a/tea')).toMatchObject({ status: 418, body: 'short and stout' })
    expect(await test.send('GET', '/a/coffee')).toMatchObject({ status: 200 })
  })

  it('for responses change responses', async () => {
    const test = await engineWith({
      responseStages: [
        {
          after: 'cache-write',
          name: 'signed',
          phase: '6-shape-response',
          make: () => ({
            run: (_context, response) => ({ ...response, headers: [...response.headers, 'x-signed', 'yes'] }),
          }),
        },
      ],
    })
    expect((await test.send('GET', '/a/x')).headers).toContain('x-signed')
  })

  it('have anchors that the compiler checks', () => {
    expectTypeOf<'key-acess'>().not.toExtend<StageName>()
    expectTypeOf<{ after: 'cors' } & OrderEntry<Stage>>().toExtend<StagePlugin>()
    // @ts-expect-error: a misspelt anchor does not compile
    const wrong: StagePlugin = { after: 'cros', ...stage('wrong', '1-accept', []) }
    expect(() => placeStages(stageOrder, { stages: [wrong] })).toThrow('the order has no stage named cros')
  })
})
