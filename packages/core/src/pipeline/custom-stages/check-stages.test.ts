import { describe, expect, it } from 'vitest'
import { findStageProblem } from './check-stages.ts'

const make = () => null
const good = { name: 'tenant', phase: '3-admit', make }

describe('the stages of a program', () => {
  it.each<readonly [name: string, stages: unknown[], place: string, message: RegExp]>([
    ['no object', ['tenant'], '[0]', /must be an object with name, phase and make; given: tenant/],
    ['a misspelt member', [{ ...good, befor: 'cors' }], '[0].befor', /did you mean "before"\?/],
    ['an unknown member', [{ ...good, colour: 1 }], '[0].colour', /the members are name, phase/],
    ['a name with a blank', [{ ...good, name: 'my stage' }], '[0].name', /given: "my stage"/],
    ['the name of a built-in stage', [{ ...good, name: 'cors' }], '[0].name', /the name of a built-in stage: "cors"/],
    ['one name twice', [good, good], '[1].name', /the name of \[0\] too: "tenant"/],
    ['no such phase', [{ ...good, phase: '3-admin' }], '[0].phase', /must be one of 1-accept, .*; given: "3-admin"/],
    ['the phase of records', [{ ...good, phase: '7-record' }], '[0].phase', /must be one of/],
    ['no make', [{ ...good, make: undefined }], '[0].make', /must be a function/],
    ['a misspelt position', [{ ...good, after: 'key-acess' }], '[0].after', /did you mean "key-access"\?/],
    [
      'a position in another phase',
      [{ ...good, before: 'forward' }],
      '[0].before',
      /"forward", which is in phase 5-respond, not in 3-admit/,
    ],
    ['two positions', [{ ...good, before: 'key-limits', after: 'key-access' }], '[0].before', /exclude each other/],
    ['an invalid schema', [{ ...good, schema: { type: 'objekt' } }], '[0].schema', /is not a valid JSON Schema/],
    ['a schema that is a text', [{ ...good, schema: 'object' }], '[0].schema', /it is no object/],
  ])('are rejected with %s', (_name, stages, place, message) => {
    const problem = findStageProblem(stages)
    expect(problem?.place).toBe(place)
    expect(problem?.message).toMatch(message)
  })

  it('are accepted at each position of their phase', () => {
    const stages = [
      good,
      { ...good, name: 'a', after: 'key-access' },
      { ...good, name: 'b', phase: '6-shape-response', before: 'cache-write' },
      { ...good, name: 'c', phase: '5-respond', schema: { type: 'object' }, defaultConfig: {} },
    ]
    expect(findStageProblem(stages)).toBeUndefined()
  })
})
