import { stageOrder, withNoopStages } from '@turnpike/core/pipeline'
import { describe, expect, it } from 'vitest'
import { orderMutants } from '../mutants/order-mutants.ts'
import { obstacles, unobstructedResponse } from './pipeline-obstacles.ts'
import { expectProperty } from './property.ts'
import { orderProperty } from './property-16-order.ts'
import { engineOrder } from './subjects/order-subject.ts'

const subjects = [
  engineOrder('the engine'),
  engineOrder('the engine with stages between its stages', withNoopStages(stageOrder)),
]
const requests = process.env.CI === undefined ? 600 : 6_000

describe(`property 16, ${orderProperty.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectProperty(orderProperty, subject, { requests })
  })
})

describe('each obstacle alone ends the request', () => {
  const subject = engineOrder('the engine')
  it.each(obstacles.map(({ name, answer }) => [name, answer] as const))('%s', async (name, answer) => {
    expect((await subject.ask(new Set([name]))).answer).toBe(answer)
  })
  it('nothing in the way lets it through, charged and read everywhere', async () => {
    const { answer, charged, read } = await subject.ask(new Set())
    expect(answer).toBe(unobstructedResponse)
    expect(Object.values(charged)).toEqual([1, 1, 1, 1, 1])
    expect(Object.values(read)).toEqual([1, 1, 1])
  })
})

describe('every seeded bug of the order is detected', () => {
  it.each(orderMutants.map((mutant) => [mutant.name, mutant] as const))('%s', async (_, mutant) => {
    const report = await mutant.run({ requests: 3_000, seed: 1 })
    expect(report.holds, `property ${mutant.property}`).toBe(false)
    if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(5)
  })
})
