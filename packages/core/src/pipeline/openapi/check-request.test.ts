import { describe, expect, it } from 'vitest'
import { operationsOf } from '../../definition/openapi/operations.ts'
import type { Json } from '../../lib/json.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { compileBodyCheck, compileParameterCheck } from './check-request.ts'
import { DocumentSchemas } from './openapi-schema.ts'

const reasonOf = async (value: unknown, schema: Json, document: Json = {}) =>
  new DocumentSchemas(document).checkOf(schema)(value)

describe('a value', () => {
  it.each([
    ['x', { type: 'integer' }, 'value must be an integer'],
    [{}, { required: ['name'] }, 'Error at "/name": property "name" is missing'],
    [{ a: [1, 'x'] }, { properties: { a: { items: { type: 'number' } } } }, 'Error at "/a/1": value must be a number'],
    [{ b: 1 }, { additionalProperties: false }, 'property "b" is unsupported'],
    [5, { minimum: 6 }, 'number must be at least 6'],
    [5, { type: 'integer', exclusiveMaximum: 5 }, 'number must be less than 5'],
    ['abc', { pattern: '^b' }, 'string doesn\'t match the regular expression "^b"'],
    ['c', { enum: ['a', 'b'] }, 'value is not one of the allowed values ["a","b"]'],
    [null, { type: 'string' }, 'Value is not nullable'],
    [null, { type: 'string', nullable: true }, undefined],
    [null, { type: ['string', 'null'] }, undefined],
    [0.3, { multipleOf: 0.1 }, undefined],
    [1, { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'input matches more than one oneOf schemas'],
    [
      { a: 'x' },
      { oneOf: [{ required: ['b'] }, { properties: { a: { type: 'integer' } } }] },
      'doesn\'t match schema due to: Error at "/b": property "b" is missing Or Error at "/a": value must be an integer',
    ],
    [1, { anyOf: [{ type: 'string' }] }, 'doesn\'t match any schema from "anyOf"'],
    [
      1,
      { allOf: [{ minimum: 2 }, { maximum: 0 }] },
      "doesn't match schema due to: number must be at least 2 And number must be at most 0",
    ],
    ['x', { not: { type: 'string' } }, 'Doesn\'t match schema "not"'],
    [null, { nullable: true, allOf: [{ type: 'object' }] }, undefined],
    [{ x: null }, { properties: { x: { nullable: true, enum: ['a'] } } }, undefined],
    ['x', { nullable: true, type: 'integer' }, 'value must be an integer'],
    [{}, { required: ['id'], properties: { id: { readOnly: true } } }, undefined],
    ['nobody', { format: 'email' }, undefined],
    [{ a: 1 }, { minProperties: 2 }, 'there must be at least 2 properties'],
    [
      { a: 1, b: 2 },
      { properties: { x: { minProperties: 1 } }, maxProperties: 1 },
      'there must be at most 1 properties',
    ],
    [
      '2027-06-31',
      { format: 'date' },
      'string doesn\'t match the format "date": parsing time "2027-06-31": day out of range',
    ],
    [{ toString: 1 }, { enum: [{}] }, 'value is not one of the allowed values [{}]'],
  ])('%j against %j: %s', async (value, schema, reason) => {
    expect(await reasonOf(value, schema)).toBe(reason)
  })

  it.each([
    ['members before missing ones', { name: 3 }, 'Error at "/name": value must be a string'],
    ['members by their names', { name: 3, age: 'x' }, 'Error at "/age": value must be an integer'],
    ['unknown members among the others', { age: 'x', aa: 1 }, 'property "aa" is unsupported'],
    ['missing members in the order of the list', {}, 'Error at "/name": property "name" is missing'],
    ['alternatives before members', { name: 3, legs: 9 }, 'Doesn\'t match schema "not"'],
    ['values before types', { size: 5 }, 'Error at "/size": value is not one of the allowed values ["s","m"]'],
    ['limits of a list before its items', { list: ['x', 'x'] }, 'Error at "/list": duplicate items found'],
    [
      'items in their order',
      { list: [1, 2, 'x', 3, 4, 5, 6, 7, 8, 9, 'y'] },
      'Error at "/list/2": value must be an integer',
    ],
    ['members of a nullable object', { deep: { b: 1, a: 1 } }, 'Error at "/deep/a": value must be a string'],
  ])('has one first failure: %s', async (_, value, reason) => {
    const schema = {
      type: 'object',
      required: ['name', 'age'],
      not: { required: ['legs'] },
      additionalProperties: false,
      properties: {
        name: { type: 'string' },
        age: { type: 'integer' },
        legs: {},
        size: { type: 'string', enum: ['s', 'm'] },
        list: { type: 'array', uniqueItems: true, items: { type: 'integer' } },
        deep: {
          type: 'object',
          nullable: true,
          required: ['c'],
          properties: { b: { type: 'string' }, a: { type: 'string' } },
        },
      },
    }
    expect(await reasonOf(value, schema)).toBe(reason)
  })

  it('is checked by recursive schemas to any depth', async () => {
    const document = {
      components: {
        schemas: { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } },
      },
    }
    const schema = { $ref: '#/components/schemas/Node' }
    expect(await reasonOf({ next: { next: 1 } }, schema, document)).toBe(
      'Error at "/next/next": value must be an object',
    )
    expect(await reasonOf(1, { $ref: '#/nowhere' })).toBe('the schema cannot be followed')
  })
})

const document: Json = {
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        parameters: [
          { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'boolean' } } },
          { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } }, required: true },
      },
    },
  },
}
const [operation] = operationsOf(document)
if (operation === undefined) throw new Error('no operation')
const source = (more: { id?: string; tags?: string[]; trace?: string }) => ({
  path: () => more.id ?? '7',
  query: () => more.tags ?? [],
  fields: () => new Map(),
  header: () => more.trace,
  cookie: () => undefined,
})

describe('parameters', () => {
  it.each([
    [{ trace: 't' }, undefined],
    [{}, 'parameter "X-Trace" in header has an error: value is required but missing'],
    [{ id: 'abc' }, 'parameter "id" in path has an error: value abc: an invalid integer: invalid syntax'],
    [{ trace: '' }, 'parameter "X-Trace" in header has an error: empty value is not allowed'],
    [
      { tags: ['true', 'yes'] },
      'parameter "tags" in query has an error: path 1: value yes: an invalid boolean: invalid syntax',
    ],
    [{ trace: 't', tags: ['t', '0', 'FALSE'] }, undefined],
  ])('%j: %s', async (given, reason) => {
    const check = compileParameterCheck(operation, new DocumentSchemas(document))
    expect(await check(source(given))).toBe(reason)
  })
})

describe('a body', () => {
  it.each([
    ['{}', 'application/json; charset=utf-8', undefined],
    ['', 'application/json', 'value is required but missing'],
    ['[]', 'application/json', "doesn't match schema: value must be an object"],
    ['x', 'text/plain', 'header Content-Type has unexpected value "text/plain"'],
  ])('%j as %s: %s', async (text, type, reason) => {
    const check = compileBodyCheck(operation.operation, new DocumentSchemas(document))
    const found = await check?.(utf8Bytes(text), ['content-type', type])
    expect(found).toBe(reason === undefined ? undefined : `request body has an error: ${reason}`)
  })
})

describe('a discriminator', () => {
  const pet = (kind: string, more: Json) => ({
    type: 'object',
    required: [kind],
    properties: { kind: { type: 'string' }, ...more },
  })
  const schemas = {
    Cat: pet('kind', { lives: { type: 'integer' } }),
    Dog: pet('kind', { bark: { type: 'integer' } }),
    Bird: {
      oneOf: [{ $ref: '#/components/schemas/Owl' }, { $ref: '#/components/schemas/Hen' }],
      discriminator: { propertyName: 'race' },
    },
    Owl: pet('race', { race: { type: 'string' }, prey: { type: 'integer' } }),
    Hen: pet('race', { race: { type: 'string' }, eggs: { type: 'integer' } }),
  }
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const mapping = { cat: '#/components/schemas/Cat', dog: 'Dog', bird: '#/components/schemas/Bird' }
  const discriminator = { propertyName: 'kind', mapping }
  const alternatives = [ref('Cat'), ref('Dog'), ref('Bird')]

  it.each([
    [{ kind: 'cat', lives: 9 }, undefined],
    [{ kind: 'dog', bark: 1 }, undefined],
    [{ kind: 'Dog', bark: 1 }, undefined],
    [{ kind: 'bird', race: 'Owl', prey: 1, eggs: 'x' }, undefined],
    [{ kind: 'dog', bark: 'x' }, `doesn't match schema due to: Error at "/bark": value must be an integer`],
    [
      { kind: 'bird', race: 'Hen', eggs: 'x' },
      `doesn't match schema due to: doesn't match schema due to: Error at "/eggs": value must be an integer`,
    ],
    [{ lives: 9 }, 'input does not contain the discriminator property "kind"'],
    [{ kind: 5 }, 'value of discriminator property "kind" is not a string'],
    [{ kind: 'cow' }, 'discriminator property "kind" has invalid value'],
  ])('selects the schema of %j: %s', async (value, reason) => {
    const document = { components: { schemas } }
    expect(await reasonOf(value, { oneOf: alternatives, discriminator }, document)).toBe(reason)
    expect(await reasonOf(value, { anyOf: alternatives, discriminator }, document)).toBe(reason)
    const pets = { properties: { pets: { items: { oneOf: alternatives, discriminator } } } }
    expect((await reasonOf({ pets: [value] }, pets, document)) === undefined).toBe(reason === undefined)
  })

  it('leaves values that are no objects, and alternatives without a name, to the keyword', async () => {
    const schema = { oneOf: [ref('Cat'), { type: 'integer' }, { type: 'object', required: ['wild'] }], discriminator }
    const document = { components: { schemas } }
    expect(await reasonOf(5, schema, document)).toBe(undefined)
    expect(await reasonOf({ kind: 'fox', wild: true }, schema, document)).toBe(undefined)
    expect(await reasonOf({ kind: 'fox' }, schema, document)).toContain('property "wild" is missing')
    expect(await reasonOf(null, { ...schema, nullable: true }, document)).toBe(undefined)
    expect(await reasonOf({ kind: 'cat', lives: 'x' }, { ...schema, nullable: true }, document)).toContain('/lives')
  })
})

describe('a discriminator of a schema that others extend', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const extending = (parent: string, properties: Json, more: Json = {}) => ({
    allOf: [ref(parent), { type: 'object', properties }],
    ...more,
  })
  const integer = { type: 'integer' }
  const schemas = {
    Pet: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, friend: ref('Pet') },
      discriminator: { propertyName: 'kind', mapping: { kitten: ref('Cat').$ref, hound: 'Dog' } },
    },
    Cat: extending('Pet', { lives: integer }, { discriminator: { propertyName: 'race' } }),
    Dog: extending('Pet', { bark: integer }),
    Lion: extending('Cat', { pride: integer }, { required: ['pride'] }),
    Loop: { allOf: [ref('Ring')] },
    Ring: { allOf: [ref('Loop'), ref('Pet')] },
  }
  const document = { components: { schemas } }

  it.each([
    ['Pet', { kind: 'Dog', bark: 1 }, undefined],
    ['Pet', { kind: 'Dog', bark: 'x' }, 'Error at "/bark": value must be an integer'],
    ['Pet', { kind: 'hound', bark: 'x' }, 'Error at "/bark": value must be an integer'],
    ['Pet', { kind: 'kitten', race: 'Cat', lives: 'x' }, 'Error at "/lives": value must be an integer'],
    ['Pet', { kind: 'kitten', race: 'Lion' }, 'property "pride" is missing'],
    ['Pet', { kind: 'Lion', race: 'Lion', pride: 1, lives: 'x' }, 'Error at "/lives": value must be an integer'],
    ['Pet', { kind: 'Lion', race: 'Lion', pride: 1, lives: 9 }, undefined],
    ['Pet', { kind: 'kitten' }, 'input does not contain the discriminator property "race"'],
    ['Pet', { kind: 'Pet' }, undefined],
    ['Pet', { kind: 'cow' }, 'discriminator property "kind" has invalid value'],
    ['Pet', {}, 'input does not contain the discriminator property "kind"'],
    ['Pet', { kind: 'Pet', friend: { kind: 'Dog', bark: 'x' } }, '/bark'],
    ['Dog', { kind: 'Dog', bark: 'x' }, 'Error at "/bark": value must be an integer'],
    ['Dog', { kind: 'Dog', bark: 1 }, undefined],
    ['Dog', { kind: 'Lion', race: 'Lion', pride: 1, lives: 'x' }, '/lives'],
    ['Pet', { kind: 'Ring' }, 'cannot be followed'],
  ])('selects among them: %s of %j: %s', async (name, value, reason) => {
    const found = await reasonOf(value, ref(name), document)
    if (reason === undefined) expect(found).toBe(undefined)
    else expect(found).toContain(reason)
    const nullable = { ...schemas, Pet: { ...schemas.Pet, nullable: true } }
    expect(await reasonOf(value, ref(name), { components: { schemas: nullable } })).toBe(found)
  })
})

describe('a member of a request', () => {
  const document = { openapi: '3.1.0', components: { schemas: { Id: { type: 'integer', readOnly: true } } } }

  it.each([
    [{ id: 1 }, { properties: { id: { type: 'integer', readOnly: true } } }],
    [{ id: 1 }, { properties: { id: { $ref: '#/components/schemas/Id' } } }],
    [{ id: 1 }, { properties: { id: { $ref: '#/x', readOnly: true } } }],
    [{ id: 1 }, { allOf: [{ properties: { id: { readOnly: true } } }] }],
  ])('%j is rejected if only responses have it', async (value, schema) => {
    expect(await reasonOf(value, schema, document)).toContain('readOnly property "id" in request')
    expect(await reasonOf({}, schema, document)).toBe(undefined)
  })

  it('is accepted if only requests have it', async () => {
    expect(await reasonOf({ pin: '1' }, { properties: { pin: { type: 'string', writeOnly: true } } })).toBe(undefined)
  })
})

describe('keywords of OpenAPI 3.1', () => {
  it.each([
    [
      'ab',
      { $ref: '#/components/schemas/Text', minLength: 3 },
      "doesn't match schema due to: minimum string length is 3",
    ],
    [['a', 1], { prefixItems: [{ type: 'integer' }] }, 'Error at "/0": value must be an integer'],
    [
      [1, 'a'],
      { prefixItems: [{ type: 'integer' }], items: { type: 'integer' } },
      'Error at "/1": value must be an integer',
    ],
    [[1, 2], { prefixItems: [{ type: 'integer' }], items: false }, 'additional items are unsupported'],
    [{ a: 1 }, { dependentRequired: { a: ['b'] } }, 'property "b" is missing'],
    [{ xa: 1 }, { patternProperties: { '^x': { type: 'string' } } }, 'Error at "/xa": value must be a string'],
    [[1], { contains: { type: 'string' } }, 'no item matches the schema "contains"'],
    [{ b: 1 }, { propertyNames: { pattern: '^a' } }, `the name of the property "b" doesn't match the schema`],
    [{ a: 1 }, { if: { required: ['c'] }, else: { required: ['b'] } }, 'Error at "/b": property "b" is missing'],
    [{ a: 1 }, { properties: { a: false } }, 'Error at "/a": value is not allowed'],
  ])('%j against %j: %s', async (value, schema, reason) => {
    const document = { openapi: '3.1.0', components: { schemas: { Text: { type: 'string' } } } }
    expect(await reasonOf(value, schema, document)).toBe(reason)
  })
})
