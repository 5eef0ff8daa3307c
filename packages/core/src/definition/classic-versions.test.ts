import { describe, expect, it } from 'vitest'
import { readShape } from '../lib/shape/shape.ts'
import { classicShape } from './classic.ts'
import {
  baseOf,
  checkVersionParams,
  type ListedApi,
  listVersions,
  readVersionParams,
  withoutVersion,
  withVersion,
} from './classic-versions.ts'

function loaded(id: string, definition: object = {}, more: { internal?: boolean } = {}): ListedApi {
  const document = readShape(classicShape, { api_id: id, definition, expiration: '2095-01-01 10:00' }).value
  return { id, name: `name of ${id}`, internal: more.internal ?? false, document }
}

const params = (query: string) => {
  const given = new Map(query.split('&').map((pair) => pair.split('=') as [string, string]))
  return readVersionParams((name) => given.get(name))
}
const versions = (definition: object) => loaded('b', definition).document.definition

describe('creating a version', () => {
  it('requires a name for it, a base, and a name for the base', () => {
    expect(checkVersionParams(params('new_version_name=v2'), undefined)).toBeUndefined()
    expect(checkVersionParams(params('base_api_id=b'), undefined)).toEqual({
      status: 422,
      message: 'The new version name is required',
    })
    const named = params('base_api_id=b&new_version_name=v2')
    expect(checkVersionParams(named, undefined)).toEqual({ status: 400, message: 'b is not a valid Base API version' })
    expect(checkVersionParams(named, versions({}))).toEqual({
      status: 400,
      message: 'you need to provide a version name for the new Base API: b',
    })
    expect(checkVersionParams(named, versions({ name: 'v1' }))).toBeUndefined()
  })

  it('adds it to the base', () => {
    const base = withVersion(versions({}), params('base_api_id=b&base_api_version_name=v1&new_version_name=v2'), 'c')
    expect(base).toMatchObject({
      enabled: true,
      name: 'v1',
      default: 'self',
      key: 'x-api-version',
      location: 'header',
      versions: { v2: 'c' },
    })
    const more = withVersion(base, params('base_api_id=b&new_version_name=v3&set_default=true'), 'd')
    expect(more).toMatchObject({ name: 'v1', default: 'v3', versions: { v2: 'c', v3: 'd' } })
  })

  it('is undone if the child is deleted', () => {
    const base = versions({ name: 'v1', default: 'v2', versions: { v2: 'c', v3: 'd' } })
    expect(withoutVersion(base, 'c')).toMatchObject({ default: 'v1', versions: { v3: 'd' } })
    expect(withoutVersion(base, 'd')).toMatchObject({ default: 'v2', versions: { v2: 'c' } })
    expect(withoutVersion(base, 'x')).toBe(base)
  })
})

describe('the versions of a base', () => {
  const base = loaded('b', { name: 'v1', default: 'v3', versions: { v3: 'd', V2: 'c', v4: 'gone' } })
  const apis = [base, loaded('c', {}, { internal: true }), loaded('d')]
  const find = (id: string) => apis.find((api) => api.id === id)
  const names = (filter: object) => listVersions(base, find, filter).map((one) => one.versionName)

  it('are the base and its loaded children in the order of their version names', () => {
    expect(listVersions(base, find)).toEqual([
      {
        id: 'b',
        name: 'name of b',
        versionName: 'v1',
        internal: false,
        expirationDate: '2095-01-01 10:00',
        isDefaultVersion: false,
      },
      {
        id: 'c',
        name: 'name of c',
        versionName: 'V2',
        internal: true,
        expirationDate: '2095-01-01 10:00',
        isDefaultVersion: false,
      },
      {
        id: 'd',
        name: 'name of d',
        versionName: 'v3',
        internal: false,
        expirationDate: '2095-01-01 10:00',
        isDefaultVersion: true,
      },
    ])
  })

  it('can be filtered by name and by access', () => {
    expect(names({ searchText: 'V2' })).toEqual(['V2'])
    expect(names({ accessType: 'internal' })).toEqual(['V2'])
    expect(names({ accessType: 'external' })).toEqual(['v1', 'v3'])
  })

  it('are the API itself if it has no children', () => {
    expect(listVersions(loaded('x'), find)).toMatchObject([{ id: 'x', versionName: '', isDefaultVersion: true }])
  })

  it('have a base', () => {
    expect(baseOf('c', apis)).toBe(base)
    expect(baseOf('b', apis)).toBeUndefined()
  })
})
