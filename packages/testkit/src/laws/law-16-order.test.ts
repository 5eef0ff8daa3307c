import { stageOrder, withNoopStages } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { orderFaults } from '../faults/order-faults.ts'
import { expectLaw } from './law.ts'
import { orderLaw } from './law-16-order.ts'
import { engineOrder } from './order-subject.ts'
import { freeAnswer, obstacles } from './pipeline-table.ts'

const subjects = [
  engineOrder('the engine'),
  engineOrder('the engine with stages between its stages', withNoopStages(stageOrder)),
]
const requests = process.env.CI === undefined ? 600 : 6_000

describe(`law 16, ${orderLaw.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectLaw(orderLaw, subject, { requests })
  })
})

describe('each obstacle alone ends the request', () => {
  const subject = engineOrder('the engine')
  it.each(obstacles.map(({ name, answer }) => [name, answer] as const))('%s', async (name, answer) => {
    expect((await subject.ask(new Set([name]))).answer).toBe(answer)
  })
  it('nothing in the way lets it through, charged and read everywhere', async () => {
    const { answer, charged, read } = await subject.ask(new Set())
    expect(answer).toBe(freeAnswer)
    expect(Object.values(charged)).toEqual([1, 1, 1, 1, 1])
    expect(Object.values(read)).toEqual([1, 1, 1])
  })
})

describe('every planted fault of the order is caught', () => {
  it.each(orderFaults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const report = await fault.run({ requests: 3_000, seed: 1 })
    expect(report.holds, `law ${fault.law}`).toBe(false)
    if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(5)
  })
})
