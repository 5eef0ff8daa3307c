import { describe, expect, it } from 'vitest'
import { fakeCompileContext } from '../../test/support/pipeline/fake-compile-context.ts'
import { findOrgConflicts } from './org-conflicts.ts'

const apiOf = (id: string, more: object = {}, paths: Record<string, unknown> = {}) =>
  fakeCompileContext(
    { api_id: id, name: id, org_id: id, proxy: { listen_path: `/${id}/`, target_url: 'http://up.test' }, ...more },
    {},
    paths,
  ).api
const at = (listenPath: string, more: object = {}) => ({
  proxy: { listen_path: listenPath, target_url: 'http://up.test' },
  ...more,
})
const find = (own: ReturnType<typeof apiOf>, theirs: ReturnType<typeof apiOf>, customDomains = true) =>
  findOrgConflicts(own.document, [theirs], { vendor: 'svc', customDomains }).map(({ path }) => path.join('.'))

describe('a listen path', () => {
  it.each([
    ['/a/', '/a/', true],
    ['/a', '/a/', true],
    ['/a/b/', '/a/', true],
    ['/ab/', '/a', true],
    ['/%61/b/', '/a/', true],
    ['/a/b/', '/{team}/b/', true],
    ['/{team}/b/', '/a/', true],
    ['/', '/', true],
    ['/a/', '/', false],
    ['/a/', '/a/b/', false],
    ['/ab/', '/a/', false],
    ['/b/', '/a/', false],
  ])('%s takes requests of %s: %s', (own, theirs, takes) => {
    expect(find(apiOf('b', at(own)), apiOf('a', at(theirs)))).toEqual(takes ? ['proxy.listen_path'] : [])
  })

  it.each([
    ['b.test', 'a.test', false],
    ['A.test', 'a.test', true],
    ['b.test', '', true],
    ['', 'a.test', false],
    ['{x}.test', 'a.test', true],
    ['a.test', '{x}.test', true],
    ['{x}.test', 'a.example', false],
  ])('of the domain "%s" takes requests of "%s": %s', (own, theirs, takes) => {
    const apis = [apiOf('b', at('/x/', { domain: own })), apiOf('a', at('/x/', { domain: theirs }))] as const
    expect(find(...apis)).toHaveLength(takes ? 1 : 0)
    expect(find(...apis, false)).toHaveLength(1)
  })

  it('that is a reference cannot be compared', () => {
    expect(find(apiOf('b', at('env://PLACE')), apiOf('a'))).toEqual(['proxy.listen_path'])
    expect(find(apiOf('b', at('/b/', { domain: 'secrets://host' })), apiOf('a'))).toEqual(['domain'])
  })

  it('of an internal API takes no requests', () => {
    expect(find(apiOf('b', at('/a/', { internal: true })), apiOf('a'))).toEqual([])
  })
})

describe('a loop', () => {
  it('into an API of another organisation is found in targets, rewrites and triggers', () => {
    const target = { proxy: { listen_path: '/b/', target_url: 'SVC://A/x' } }
    expect(find(apiOf('b', target), apiOf('a'))).toEqual(['proxy.target_url'])
    const rewrite = { path: '/x', method: 'GET', match_pattern: '.*', rewrite_to: 'svc://a/x' }
    expect(find(apiOf('b', {}, { url_rewrites: [rewrite] }), apiOf('a'))).toEqual([
      'version_data.versions.Default.extended_paths.url_rewrites.0.rewrite_to',
    ])
    const variable = { ...rewrite, rewrite_to: 'svc://$1/x' }
    expect(find(apiOf('b', {}, { url_rewrites: [variable] }), apiOf('a'))).toHaveLength(1)
  })

  it('into other APIs is none, and a name that another organisation loops to is not free', () => {
    const own = { proxy: { listen_path: '/b/', target_url: 'svc://self/x' } }
    expect(find(apiOf('b', own), apiOf('a'))).toEqual([])
    const theirs = { proxy: { listen_path: '/a/', target_url: 'svc://b/' } }
    expect(find(apiOf('b'), apiOf('a', theirs))).toEqual(['api_id'])
  })
})

it('versions of one family belong to one organisation', () => {
  const family = (id: string) => ({ definition: { enabled: true, name: 'v1', versions: { v2: id } } })
  expect(find(apiOf('b', family('a')), apiOf('a'))).toEqual(['definition.versions.v2'])
  expect(find(apiOf('b'), apiOf('a', family('b')))).toEqual(['api_id'])
  expect(find(apiOf('b', family('c')), apiOf('a'))).toEqual([])
})
