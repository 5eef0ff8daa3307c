import { type StageOrder, stageOrder } from '@turnpike/core/pipeline'
import { afterAll, describe, expect, it } from 'vitest'
import { stageCases } from './stage-cases.ts'
import { caseScripts } from './stage-cases-scripts.ts'
import { makeStageEngine } from './stage-engine.ts'

/** The stage order, and the stages that occur in any chain built from it. */
function watched(): { readonly order: StageOrder; readonly made: Set<string> } {
  const made = new Set<string>()
  const watch = <E extends { readonly name: string; make(...all: never[]): unknown }>(entry: E): E => ({
    ...entry,
    make(...all: never[]) {
      const stage = entry.make(...all)
      if (stage !== null) made.add(entry.name)
      return stage
    },
  })
  const { stages, responses, records } = stageOrder
  return {
    order: { stages: stages.map(watch), responses: responses.map(watch), records: records.map(watch) },
    made,
  }
}

describe('the cases that stages are measured with', () => {
  const { order, made } = watched()
  afterAll(() => caseScripts.close())

  it.each(stageCases.map((one) => [one.name, one] as const))('%s: is answered 200, more than once', async (_, one) => {
    const { engine, request } = await makeStageEngine(one, { order })
    for (const i of [0, 1, 2]) {
      const { status, body } = await engine.handle(request(i))
      expect([status, typeof body === 'string' && status !== 200 ? body : '']).toEqual([200, ''])
    }
  })

  it('are of every stage of the order', () => {
    const { stages, responses, records } = stageOrder
    // The last stage replaces the upstream here.
    const unmeasured = ['forward']
    const names = [...stages, ...responses, ...records].map(({ name }) => name)
    expect(names.filter((name) => !made.has(name) && !unmeasured.includes(name))).toEqual([])
  })
})
