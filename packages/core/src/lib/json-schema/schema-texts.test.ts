import { describe, expect, it } from 'vitest'
import { formatSchemaProblem } from './schema-problem.ts'
import { compileJsonSchema } from './schema-texts.ts'

async function check(schema: unknown, value: unknown): Promise<string> {
  const compiled = compileJsonSchema(schema)
  if (compiled.problem !== undefined) return `schema: ${compiled.problem}`
  return (await compiled.validate(value)).map(formatSchemaProblem).join('; ')
}

describe('a JSON schema', () => {
  it.each([
    [{ required: ['name'] }, {}, '(root): name is required'],
    [{ properties: { a: { required: ['b'] } } }, { a: {} }, 'a: b is required'],
    [{ type: 'object' }, [], '(root): Invalid type. Expected: object, given: array'],
    [{ type: ['string', 'null'] }, 1.5, '(root): Invalid type. Expected: string/null, given: number'],
    [{ properties: { age: { minimum: 0 } } }, { age: -1 }, 'age: Must be greater than or equal to 0'],
    [{ minimum: 1, exclusiveMinimum: true }, 1, '(root): Must be greater than 1'],
    [{ exclusiveMaximum: 5 }, 5, '(root): Must be less than 5'],
    [{ maximum: 5 }, 6, '(root): Must be less than or equal to 5'],
    [{ multipleOf: 0.1 }, 0.25, '(root): Must be a multiple of 0.1'],
    [{ properties: { c: { enum: ['x', 'y'] } } }, { c: 'z' }, 'c: c must be one of the following: "x", "y"'],
    [{ const: 1 }, 2, '(root): (root) does not match: 1'],
    [{ minLength: 2 }, 'a', '(root): String length must be greater than or equal to 2'],
    [{ maxLength: 1 }, '😀😀', '(root): String length must be less than or equal to 1'],
    [{ pattern: '^a+$' }, 'b', "(root): Does not match pattern '^a+$'"],
    [{ format: 'email' }, 'x', "(root): Does not match format 'email'"],
    [{ minItems: 1 }, [], '(root): Array must have at least 1 items'],
    [{ maxItems: 1 }, [1, 2], '(root): Array must have at most 1 items'],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      '(root): array items[0,1] must be unique',
    ],
    [{ items: { type: 'string' } }, ['a', 1], '1: Invalid type. Expected: string, given: integer'],
    [{ items: [{}], additionalItems: false }, [1, 2], '(root): No additional items allowed on array'],
    [{ contains: { const: 1 } }, [2], '(root): At least one of the items must match'],
    [{ minProperties: 1 }, {}, '(root): Must have at least 1 properties'],
    [{ additionalProperties: false }, { x: 1 }, '(root): Additional property x is not allowed'],
    [{ additionalProperties: { type: 'string' } }, { x: 1 }, 'x: Invalid type. Expected: string, given: integer'],
    [
      { patternProperties: { '^s': { type: 'string' } }, additionalProperties: false },
      { s1: 1 },
      's1: Invalid type. Expected: string, given: integer',
    ],
    [{ propertyNames: { maxLength: 1 } }, { xx: 1 }, '(root): Property name of "xx" does not match'],
    [{ dependencies: { a: ['b'] } }, { a: 1 }, '(root): Has a dependency on b'],
    [{ not: { type: 'null' } }, null, '(root): Must not validate the schema (not)'],
    [
      { anyOf: [{ type: 'string' }, { minimum: 5, multipleOf: 2 }] },
      3,
      '(root): Must validate at least one schema (anyOf); (root): Invalid type. Expected: string, given: integer',
    ],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, '(root): Must validate one and only one schema (oneOf)'],
    [
      { allOf: [{ minimum: 1 }, { maximum: 2 }] },
      3,
      '(root): Must be less than or equal to 2; (root): Must validate all the schemas (allOf)',
    ],
    [
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { type: 'string' }, then: { minLength: 3 } },
      'a',
      '(root): Must validate "then" as "if" was valid; (root): String length must be greater than or equal to 3',
    ],
    [
      { properties: { l: { items: { properties: { n: { type: 'integer' } } } } } },
      { l: [{ n: 1 }, { n: 'x' }] },
      'l.1.n: Invalid type. Expected: integer, given: string',
    ],
  ])('%j reports what is wrong with %j', async (schema, value, problems) => {
    expect(await check(schema, value)).toBe(problems)
  })

  it.each([
    [{}, 1],
    [{ type: 'number' }, 1],
    [{ type: 'integer' }, 1.0],
    [{ multipleOf: 0.01 }, 4.35],
    [{ minLength: 5 }, 3],
    [{ enum: [{ a: [1] }] }, { a: [1] }],
    [{ properties: { a: {} }, additionalProperties: false }, { a: 1 }],
    [{ format: 'unheard-of' }, 'x'],
    [{ format: 'date-time' }, '2024-02-29T10:00:00Z'],
    [true, 1],
  ])('%j accepts %j', async (schema, value) => {
    expect(await check(schema, value)).toBe('')
  })

  it('can refer to its own parts, to itself, and in cycles', async () => {
    const tree = {
      type: 'object',
      properties: { next: { $ref: '#' }, n: { $ref: '#/definitions/num' } },
      definitions: { num: { type: 'integer' } },
    }
    expect(await check(tree, { n: 1, next: { n: 'x' } })).toBe('next.n: Invalid type. Expected: integer, given: string')
    expect(
      await check(
        { $ref: '#/definitions/a', definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } } },
        1,
      ),
    ).toContain('nests too deep')
    expect(await check({ allOf: [{ $ref: '#' }] }, 1)).toContain('nests too deep')
  })

  it('fetches nothing', async () => {
    expect(await check({ $ref: 'http://schemas.test/x' }, 1)).toBe(
      'schema: the reference http://schemas.test/x leads nowhere',
    )
  })

  it('is rejected if it is invalid', async () => {
    expect(await check('x', 1)).toBe('schema: is neither an object nor a boolean')
    expect(await check({ pattern: '(' }, 1)).toMatch(/^schema: the pattern \( is not valid/)
    expect(await check({ type: 'text' }, 1)).toBe('schema: "text" is no type')
    expect(await check({ properties: { a: 1 } }, 1)).toBe('schema: the property a must have a schema')
  })

  it('ignores members of prototypes', async () => {
    expect(await check({ required: ['toString'] }, {})).toBe('(root): toString is required')
  })

  it('reports at most a hundred problems', async () => {
    expect(
      (
        await check(
          { items: { type: 'string' } },
          Array.from({ length: 5000 }, () => 1),
        )
      ).split('; '),
    ).toHaveLength(100)
  })

  it('checks nested alternatives in less than exponential time', async () => {
    const next = { properties: { next: { $ref: '#' } } }
    const schema = {
      anyOf: [
        { ...next, required: ['x'] },
        { ...next, required: ['y'] },
      ],
    }
    let value = {}
    for (let i = 0; i < 100; i++) value = { next: value }
    expect(await check(schema, value)).not.toBe('')
    expect(await check({ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 1)).not.toBe('')
  })

  it('finds duplicates in long lists quickly', async () => {
    const list = Array.from({ length: 20_000 }, (_, i) => ({ i }))
    expect(await check({ uniqueItems: true }, list)).toBe('')
  })
})
