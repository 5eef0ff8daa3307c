import { describe, expect, it } from 'vitest'
import { formatSchemaProblem } from './schema-problem.ts'
import { compileJsonSchema } from './schema-texts.ts'

/** `now`: the time does not pass by default, so that results do not depend on the machine. */
async function check(schema: unknown, value: unknown, now = () => 0): Promise<readonly string[]> {
  const compiled = compileJsonSchema(schema, { now })
  if (compiled.problem !== undefined) throw new Error(compiled.problem)
  return (await compiled.validate(value)).map(formatSchemaProblem)
}

const person = { type: 'object', required: ['age'] }
const people = { items: { anyOf: [{ $ref: '#/definitions/person' }, { type: 'null' }] }, definitions: { person } }

describe('the work limit of one validation', () => {
  it('accepts a large value that is checked in linear time', async () => {
    const list = Array.from({ length: 50_000 }, (_, age) => ({ age }))
    expect(await check(people, list)).toEqual([])
    expect(await check(people, [...list, 1])).toHaveLength(2)
  })

  it('stops after a hundred failures, in alternatives too', async () => {
    const list = Array.from({ length: 100_000 }, () => ({}))
    expect(await check(people, list)).toHaveLength(100)
    expect(await check({ anyOf: [people, { type: 'array' }], definitions: { person } }, list)).toEqual([])
  })

  /** A clock that shows a later time at each reading, and how often it was read. */
  function clock(msPerReading: number) {
    let readings = 0
    return { now: () => msPerReading * readings++, readings: () => readings }
  }
  const nested = (depth: number, more: object) => {
    let value = {}
    for (let i = 0; i < depth; i++) value = { ...more, next: value }
    return value
  }

  it('checks no part of a value twice by the same schema, where that would take exponential time', async () => {
    const next = { properties: { next: { $ref: '#' } }, patternProperties: { next: { $ref: '#' } } }
    const { now, readings } = clock(1)
    expect(await check(next, nested(200, {}), now)).toEqual([])
    const branch = (name: string) => ({ required: [name], properties: { next: { $ref: '#' } } })
    const alternatives = { anyOf: [branch('x'), branch('y')], allOf: [branch('x'), branch('y')] }
    expect((await check(alternatives, nested(100, { x: 1, y: 1 }), now)).length).toBeGreaterThan(0)
    expect(readings()).toBeLessThan(100)
  })

  it('ends with the time, also if a large member that is not checked surrounds the value', async () => {
    const properties = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`p${i}`, { const: i }]))
    const wide = { items: { anyOf: Object.keys(properties).map((name) => ({ required: [name] })) } }
    const value = { wide: Array.from({ length: 20_000 }, () => ({})), pad: Array.from({ length: 70_000 }, () => 0) }
    const { now, readings } = clock(5)
    expect(await check({ properties: { wide } }, value, now)).toEqual(['(root): it takes too much work to check this'])
    expect(readings()).toBe(52)
  })

  it('supports values with the maximum depth of a body', async () => {
    let value: unknown = 1
    for (let i = 0; i < 1000; i++) value = { next: value }
    const tree = { type: 'object', properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } } }
    expect(await check(tree, value)).not.toEqual([])
  })

  it('supports schemas with the maximum depth of a definition', async () => {
    let schema: unknown = { type: 'string' }
    for (let i = 0; i < 900; i++) schema = i % 2 === 0 ? { properties: { a: schema } } : { allOf: [schema] }
    let value: unknown = 1
    for (let i = 0; i < 450; i++) value = { a: value }
    expect(await check(schema, value)).not.toEqual([])
    expect(await check(schema, 1)).toEqual([])
  })
})
