import { describe, expect, it } from 'vitest'
import { nodeNames, type Plan, type Step } from '../run/plan.ts'
import { shrinkPlan } from './shrink-plan.ts'

const plan = (steps: readonly Step[]): Plan => ({
  name: 'test',
  seed: 1,
  nodes: nodeNames(2),
  algorithm: 'rolling',
  network: { delayMs: [1, 1], loss: 0, doubling: 0, reordering: false },
  deadlineMs: 100,
  keys: [],
  files: { version: 1, policies: {} },
  steps,
  endsAt: 1000,
})
const request = (at: number): Step => ({ at, kind: 'request', node: 'node-1', key: 'k' })
const cut = (at: number, a: string): Step => ({ at, kind: 'cut', a, b: 'store' })
const heal = (at: number, a: string): Step => ({ at, kind: 'heal', a, b: 'store' })
const shrunk = async (steps: readonly Step[], breaks: (steps: readonly Step[]) => boolean) =>
  (await shrinkPlan(plan(steps), { breaks: async (shorter) => breaks(shorter.steps) })).steps

describe('a plan that is shrunk', () => {
  it('keeps what is needed and nothing else', async () => {
    const steps = Array.from({ length: 40 }, (_, i) => request(i))
    const needed = [steps[7], steps[23]]
    expect(await shrunk(steps, (left) => needed.every((step) => left.includes(step as Step)))).toEqual(needed)
  })

  it('keeps the end of a fault that has one, and takes both out together', async () => {
    const steps = [cut(1, 'node-1'), cut(2, 'node-2'), request(3), heal(4, 'node-1'), heal(5, 'node-2')]
    const isCut = (left: readonly Step[]) => left.some((step) => step.kind === 'cut' && step.a === 'node-2')
    expect(await shrunk(steps, isCut)).toEqual([cut(2, 'node-2'), heal(5, 'node-2')])
  })

  it('leaves a fault without an end as it is', async () => {
    const steps = [cut(1, 'node-1'), request(2)]
    expect(await shrunk(steps, (left) => left.some(({ kind }) => kind === 'cut'))).toEqual([cut(1, 'node-1')])
  })
})
