import { describe, expect, it } from 'vitest'
import { classicShape } from '../definition/classic.ts'
import { normaliseDefinition } from '../definition/normalise.ts'
import { readShape } from '../lib/shape/shape.ts'
import { makeFamilyResolver, makeVersionResolver, type VersionRequest } from './resolve-version.ts'

const versions = { v1: { name: 'v1' }, v2: { name: 'v2' } }

function api(definition: object, versionData: object) {
  const { value } = readShape(classicShape, { api_id: 'a', definition, version_data: versionData })
  return normaliseDefinition(value, { source: 'a.json', hash: '1' })
}

function resolver(definition: object, versionData: object = { versions }) {
  const resolve = makeVersionResolver(api(definition, versionData))
  return (request: Partial<VersionRequest>) => {
    const choice = resolve({ headers: [], query: '', path: '/a', ...request })
    return choice.kind === 'version' ? { ...choice, version: choice.version.name } : choice
  }
}

const inHeader = { location: 'header', key: 'X-Api-Version' }

describe('versions within a definition', () => {
  it('are named in a header', () => {
    const resolve = resolver(inHeader)
    expect(resolve({ headers: ['x-api-version', 'v2'] })).toMatchObject({
      version: 'v2',
      byDefault: false,
      header: undefined,
    })
    expect(resolve({})).toEqual({ kind: 'missing' })
    expect(resolve({ headers: ['x-api-version', 'V2'] })).toEqual({ kind: 'unknown' })
    expect(resolver({ ...inHeader, strip_versioning_data: true })({ headers: ['x-api-version', 'v2'] })).toMatchObject({
      header: 'x-api-version',
    })
  })

  it('are named in a query parameter, which can be removed', () => {
    const place = { location: 'url-param', key: 'ver' }
    expect(resolver(place)({ query: 'ver=v2&z=1' })).toMatchObject({ version: 'v2', query: 'ver=v2&z=1' })
    const strip = resolver({ ...place, strip_versioning_data: true })
    expect(strip({ query: 'b=%20x+y&ver=v2&z=1' })).toMatchObject({ version: 'v2', query: 'b=%20x+y&z=1' })
    expect(strip({ query: 'z=1&a=2&ver=v2&b=%20&a=1' })).toMatchObject({ query: 'a=2&a=1&b=%20&z=1' })
    expect(strip({ query: 'ver=v2' })).toMatchObject({ query: '' })
    expect(strip({ query: 'v%65r=%762' })).toMatchObject({ version: 'v2', query: '' })
  })

  it('are named in the first segment, which can be removed', () => {
    expect(resolver({ location: 'url' })({ path: '/v2/a' })).toMatchObject({ version: 'v2', path: '/v2/a' })
    const strip = resolver({ location: 'url', strip_path: true })
    expect(strip({ path: '/v2/a/b' })).toMatchObject({ version: 'v2', path: '/a/b' })
    expect(strip({ path: '/v2' })).toMatchObject({ version: 'v2', path: '/v2' })
    expect(strip({ path: '/' })).toEqual({ kind: 'missing' })
  })

  it('remove only a segment that matches the pattern', () => {
    const definition = { location: 'url', strip_versioning_data: true, url_versioning_pattern: '^v[0-9]+$' }
    const fallback = { ...definition, fallback_to_default: true }
    const resolve = resolver(fallback, { versions, default_version: 'v1' })
    expect(resolve({ path: '/users/1' })).toMatchObject({ version: 'v1', byDefault: true, path: '/users/1' })
    expect(resolve({ path: '/v9/users' })).toMatchObject({ version: 'v1', byDefault: true, path: '/users' })
  })

  it('have a default for requests without a version, and for unknown versions with fallback_to_default', () => {
    const data = { versions, default_version: 'v1' }
    expect(resolver(inHeader, data)({})).toMatchObject({ version: 'v1', byDefault: true })
    expect(resolver(inHeader, data)({ headers: ['x-api-version', 'v9'] })).toEqual({ kind: 'unknown' })
    const fallback = resolver({ ...inHeader, fallback_to_default: true }, data)
    expect(fallback({ headers: ['x-api-version', 'v9'] })).toMatchObject({ version: 'v1', byDefault: true })
  })

  it('are the only one, or the one named Default, for an API that is not versioned', () => {
    const chosen = (names: string[]) => {
      const given = Object.fromEntries(names.map((name) => [name, { name }]))
      return resolver({}, { not_versioned: true, versions: given })({})
    }
    expect(chosen(['x'])).toMatchObject({ version: 'x', byDefault: false })
    expect(chosen(['x', 'Default'])).toMatchObject({ version: 'Default' })
    expect(chosen(['x', 'default'])).toMatchObject({ version: 'default' })
    expect(chosen(['x', ''])).toMatchObject({ version: '' })
    expect(chosen(['x', 'y'])).toEqual({ kind: 'no-default' })
    expect(chosen([])).toEqual({ kind: 'no-default' })
    expect(chosen(['Default', 'default'])).toEqual({ kind: 'ambiguous-default' })
    expect(chosen(['', 'x', 'Default'])).toEqual({ kind: 'ambiguous-default' })
  })
})

describe('versions made of other definitions', () => {
  function family(more: object = {}) {
    const definition = { enabled: true, name: 'one', default: 'self', ...inHeader, versions: { two: 'child' }, ...more }
    const made = api(definition, { not_versioned: true, versions: { Default: {} } }).family
    if (made === undefined) throw new Error('no family')
    const resolve = makeFamilyResolver(made)
    return (name?: string) =>
      resolve({ headers: name === undefined ? [] : ['x-api-version', name], query: '', path: '/a' })
  }

  it('are the base for `self`, for its own name, and by default', () => {
    for (const name of ['self', 'one']) expect(family()(name)).toMatchObject({ kind: 'self', byDefault: false })
    expect(family()()).toMatchObject({ kind: 'self', byDefault: true })
  })

  it('are the child with that name, also by default', () => {
    expect(family()('two')).toMatchObject({ kind: 'child', apiId: 'child', byDefault: false })
    expect(family({ default: 'two' })()).toMatchObject({ kind: 'child', apiId: 'child', byDefault: true })
  })

  it('are unknown or missing otherwise, except with fallback_to_default', () => {
    expect(family()('nine')).toEqual({ kind: 'unknown' })
    expect(family({ default: '' })()).toEqual({ kind: 'missing' })
    expect(family({ default: '', name: '' })()).toMatchObject({ kind: 'self', name: '' })
    expect(family({ default: '', name: '' })('nine')).toEqual({ kind: 'unknown' })
    expect(family({ fallback_to_default: true })('nine')).toMatchObject({ kind: 'self', byDefault: true })
    expect(family({ default: 'gone' })()).toEqual({ kind: 'unknown' })
  })
})
