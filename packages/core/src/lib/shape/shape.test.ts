import { describe, expect, it } from 'vitest'
import {
  anything,
  boolean,
  camelObject,
  described,
  field,
  integer,
  list,
  map,
  number,
  object,
  oneOf,
  optional,
  readOnlyObject,
  readShape,
  text,
  withDefault,
} from './shape.ts'

const shape = object({
  name: text,
  useOauth2: field(boolean, { wireName: 'use_oauth2' }),
  maxAge: integer,
  rate: number,
  tags: list(text),
  meta: map(anything),
  inner: object({ deepName: text }),
  timeout: optional(integer),
  note: field(text, { omitZero: true }),
})

describe('a read-only object', () => {
  const readOnly = readOnlyObject({ name: text, inner: object({ deepName: text, tags: list(text) }) })

  it('shares what documents do not contain, frozen, and nothing else', () => {
    const first = readShape(readOnly, { name: 'a' }).value
    const second = readShape(readOnly, { name: 'b' }).value
    expect(first.inner).toBe(second.inner)
    expect(Object.isFrozen(first.inner)).toBe(true)
    expect(first).toEqual({ ...readOnly.zero(), name: 'a' })
    const given = readShape(readOnly, { inner: { deep_name: 'c' } }).value
    expect(given.inner.deepName).toBe('c')
    expect(second.inner.deepName).toBe('')
  })

  it('has zero values of its own in a new document, which may be changed', () => {
    const made = readOnly.zero()
    made.inner.deepName = 'd'
    expect(readOnly.zero().inner.deepName).toBe('')
  })
})

function read(value: unknown) {
  return readShape(shape, value)
}

describe('reading a shape', () => {
  it('reads absent fields and null as the zero value', () => {
    const zero = shape.zero()
    expect(read({}).value).toEqual(zero)
    expect(read({ name: null, tags: null, inner: null, meta: null, max_age: null }).value).toEqual(zero)
    expect(read(null).value).toEqual(zero)
  })

  it('accepts a name in another case, unless the exact name exists too', () => {
    expect(read({ NAME: 'a', Inner: { Deep_Name: 'b' } }).value).toMatchObject({ name: 'a', inner: { deepName: 'b' } })
    expect(read({ name: 'exact', NAME: 'loose' }).value.name).toBe('exact')
    expect(read({ NAME: 'loose', name: 'exact' }).value.name).toBe('exact')
  })

  it('fails with a wrong type anywhere, and reports all of them', () => {
    const { readable, problems } = read({ name: 1, tags: ['a', 2], inner: { deep_name: [] }, max_age: 1.5 })
    expect(readable).toBe(false)
    expect(problems.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['name', 'must be a text, is the number 1'],
      ['tags.1', 'must be a text, is the number 2'],
      ['inner.deep_name', 'must be a text, is a list'],
      ['max_age', 'must be a whole number, is the number 1.5'],
    ])
    for (const value of [[], 'x', 7, true]) expect(read(value).readable).toBe(false)
  })

  it('ignores unknown fields and suggests a known name', () => {
    const { readable, problems } = read({ nmae: 'a', inner: { deep_nam: 'b' }, zzzzzz: 1 })
    expect(readable).toBe(true)
    expect(problems.map(({ path, suggestion }) => [path.join('.'), suggestion])).toEqual([
      ['nmae', 'name'],
      ['inner.deep_nam', 'deep_name'],
      ['zzzzzz', undefined],
    ])
  })

  it('accepts integers of 64 bits', () => {
    expect(read({ max_age: 2 ** 62 }).readable).toBe(true)
    expect(read({ max_age: 1e30 }).readable).toBe(false)
  })

  it('removes `__proto__` members', () => {
    const value: unknown = JSON.parse(
      '{"__proto__":{"name":"evil"},"meta":{"__proto__":{"a":1},"x":{"__proto__":{"polluted":1}}},"inner":{"__proto__":{"deep_name":"evil"}}}',
    )
    const read = readShape(shape, value).value
    expect(read.name).toBe('')
    expect(read.inner.deepName).toBe('')
    expect(Object.keys(read.meta ?? {})).toEqual(['x'])
    const copied = Object.assign({}, read.meta?.x)
    expect((copied as { polluted?: number }).polluted).toBeUndefined()
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('rejects values that are nested too deep, without a stack overflow', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    const { readable, problems } = read({ meta: { x: deep } })
    expect(readable).toBe(false)
    expect(problems[0]?.path).toEqual(['meta', 'x'])
    expect(read({ tags: deep, unknown: deep, name: deep }).readable).toBe(false)
    const usual: unknown = JSON.parse(`${'[{"a":'.repeat(50)}1${'}]'.repeat(50)}`)
    expect(read({ meta: { x: usual } }).readable).toBe(true)
  })
})

describe('writing a shape', () => {
  it('returns the document that was read', () => {
    const wire = {
      name: 'a',
      use_oauth2: true,
      max_age: 3,
      rate: 0.5,
      tags: ['x'],
      meta: { a: [1, { b: null }] },
      inner: { deep_name: 'c' },
      timeout: 0,
      note: 'n',
    }
    expect(JSON.parse(JSON.stringify(shape.write(read(wire).value)))).toEqual(wire)
  })

  it('includes every field, except those that are omitted if zero', () => {
    expect(shape.write(shape.zero())).toEqual({
      name: '',
      use_oauth2: false,
      max_age: 0,
      rate: 0,
      tags: null,
      meta: null,
      inner: { deep_name: '' },
      timeout: null,
    })
  })

  it('omits all zero values with writeSparse', () => {
    expect(
      shape.writeSparse(read({ name: 'a', inner: { deep_name: '' }, tags: [], meta: {}, timeout: 0 }).value),
    ).toEqual({
      name: 'a',
      timeout: 0,
    })
  })
})

describe('a default', () => {
  it('replaces an absent value, but not a zero value', () => {
    const withSixty = object({ seconds: withDefault(integer, 60) })
    expect(readShape(withSixty, {}).value.seconds).toBe(60)
    expect(readShape(withSixty, { seconds: 0 }).value.seconds).toBe(0)
  })
})

describe('the schema of a shape', () => {
  it('contains descriptions and defaults', () => {
    const shape = object({
      mode: oneOf(['a', 'b'], 'a'),
      per: described('Seconds.', withDefault(integer, 60)),
    })
    expect(shape.schema.properties).toEqual({
      mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
      per: { type: 'integer', default: 60, description: 'Seconds.' },
    })
  })

  it('keeps names in camel case where the format has them', () => {
    expect(camelObject({ listenPath: text }).wireNames).toEqual(['listenPath'])
    expect(readShape(camelObject({ listenPath: text }), { listenPath: '/a/' }).value.listenPath).toBe('/a/')
  })
})

it('`$schema` is ignored at the top of a document only', () => {
  const shape = object({ inner: object({ name: text }) })
  expect(readShape(shape, { $schema: 's' }).problems).toEqual([])
  expect(readShape(shape, { inner: { $schema: 's' } }).problems).toMatchObject([{ path: ['inner', '$schema'] }])
})
