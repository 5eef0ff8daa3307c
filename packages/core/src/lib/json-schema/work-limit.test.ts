import { describe, expect, it } from 'vitest'
import { formatSchemaProblem } from './schema-problem.ts'
import { compileJsonSchema } from './schema-texts.ts'

async function check(schema: unknown, value: unknown): Promise<readonly string[]> {
  const compiled = compileJsonSchema(schema)
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

  it('rejects a value that takes exponential time', async () => {
    const next = { properties: { next: { $ref: '#' } }, patternProperties: { next: { $ref: '#' } } }
    let value = {}
    for (let i = 0; i < 200; i++) value = { next: value }
    expect(await check(next, value)).toEqual(['(root): it takes too much work to check this'])
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
