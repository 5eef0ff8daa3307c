import { describe, expect, it } from 'vitest'
import { type ListenPathTableOptions, type ListenRoute, makeListenPathTable } from './listen-path-table.ts'

type Given = Partial<ListenRoute<string>> & { readonly slot: string }

function table(routes: readonly Given[], options: Partial<ListenPathTableOptions> = {}) {
  const made = makeListenPathTable(
    routes.map(({ slot, ...route }) => ({
      slot,
      apiId: slot,
      listenPath: undefined,
      isRoutedById: true,
      domain: '',
      ...route,
    })),
    { strictRoutes: false, customDomains: false, hostname: '', ...options },
  )
  const api = (path: string, host?: string) => made.resolve(host, path)?.slot
  const rest = (path: string, host?: string) => {
    const match = made.resolve(host, path)
    return match === undefined ? undefined : path.slice(match.matchedLength)
  }
  return { ...made, api, rest }
}

describe('the table of listen paths', () => {
  it('chooses the longest listen path', () => {
    const { api } = table([
      { slot: 'long', listenPath: '/long/' },
      { slot: 'deep', listenPath: '/long/deep/' },
      { slot: 'root', listenPath: '/' },
    ])
    expect(api('/long/deep/x')).toBe('deep')
    expect(api('/long/dee/x')).toBe('long')
    expect(api('/lo')).toBe('root')
  })

  it('requires the trailing slash of a listen path that has one, and the same case', () => {
    const { api } = table([{ slot: 'x', listenPath: '/orders/' }])
    expect(api('/orders')).toBeUndefined()
    expect(api('/Orders/')).toBeUndefined()
    expect(api('/orders/')).toBe('x')
  })

  it('matches a listen path without a trailing slash as a prefix', () => {
    const { rest } = table([{ slot: 'x', listenPath: '/nosl' }])
    expect(rest('/nosl-suffix/x')).toBe('-suffix/x')
  })

  it('requires a slash or the end after the listen path with strict routes', () => {
    const { api, rest } = table([{ slot: 'x', listenPath: '/st' }], { strictRoutes: true })
    expect(api('/st-suffix/x')).toBeUndefined()
    expect(rest('/st/x')).toBe('/x')
    expect(rest('/st')).toBe('')
  })

  it('finds no API if strict routes exclude the longest listen path', () => {
    const { api } = table(
      [
        { slot: 'short', listenPath: '/a/' },
        { slot: 'long', listenPath: '/a/b' },
      ],
      { strictRoutes: true },
    )
    expect(api('/a/bc')).toBeUndefined()
    expect(api('/a/b/c')).toBe('long')
    expect(api('/a/c')).toBe('short')
  })

  it('keeps listen paths with variables as prefixes with strict routes', () => {
    const { rest } = table([{ slot: 'x', listenPath: '/s/{n}/end' }], { strictRoutes: true })
    expect(rest('/s/1/ending')).toBe('ing')
  })

  it('serves the id of an API with strict routes and any listen path', () => {
    const made = table([{ slot: 'crane', listenPath: '/cran' }], { strictRoutes: true })
    expect(made.resolve(undefined, '/crane/x')).toMatchObject({ slot: 'crane', matchedLength: 5, isById: false })
    expect(made.api('/cranes')).toBeUndefined()
  })

  it('ranks the id of an API like its listen path', () => {
    const { api, rest } = table([
      { slot: 'long', listenPath: '/long-listen-path/' },
      { slot: 'shadowed', listenPath: '/long/' },
      { slot: 'deep', listenPath: '/long/deeper-than-the-other/' },
    ])
    expect(api('/long/x')).toBe('long')
    expect(rest('/long-listen-path/x')).toBe('x')
    expect(api('/long/deeper-than-the-other/')).toBe('deep')
  })

  it('matches the listen path if a path starts with both the id and the listen path', () => {
    const made = table([
      { slot: 'quay', listenPath: '/quay' },
      { slot: 'v1', listenPath: '/v{n:[0-9]}' },
    ])
    expect(made.resolve(undefined, '/quay/x')).toMatchObject({ slot: 'quay', matchedLength: 5, isById: false })
    expect(made.resolve(undefined, '/v1/x')).toMatchObject({ slot: 'v1', matchedLength: 3, isById: false })
    expect(made.resolve(undefined, '/quay%2Fx')).toMatchObject({ slot: 'quay', matchedLength: 5 })
  })

  it('finds an API below its id and marks the match, but not an internal API', () => {
    const made = table([
      { slot: 'byid', listenPath: '/other/' },
      { slot: 'hidden', isRoutedById: false },
    ])
    expect(made.resolve(undefined, '/byid/x')).toMatchObject({ slot: 'byid', matchedLength: 6, isById: true })
    expect(made.api('/byid')).toBeUndefined()
    expect(made.api('/hidden/x')).toBeUndefined()
  })

  it('prefers the API with that listen path over the one with that id', () => {
    const { api } = table([
      { slot: 'a', listenPath: '/x/' },
      { slot: 'b', listenPath: '/a/' },
    ])
    expect(api('/a/1')).toBe('b')
  })

  it('matches variables, with and without a pattern', () => {
    const { api, rest } = table([
      { slot: 'id-1', listenPath: '/tpl/{id}/' },
      { slot: 'id-2', listenPath: '/rx/{id:[0-9]{2}}/in/' },
    ])
    expect(rest('/tpl/42/items/1')).toBe('items/1')
    expect(rest('/rx/77/in/z')).toBe('z')
    expect(api('/rx/7/in/z')).toBeUndefined()
    expect(api('/tpl//items')).toBeUndefined()
  })

  it('does not count variables in the length', () => {
    const { api } = table([
      { slot: 'var', listenPath: '/t/{a-very-long-name:[a-z]+}/' },
      { slot: 'plain', listenPath: '/t/abc/' },
    ])
    expect(api('/t/abc/x')).toBe('plain')
    expect(api('/t/abd/x')).toBe('var')
  })

  it('prefers the listen path without variables of two with the same length', () => {
    const { api } = table([
      { slot: 'var', listenPath: '/t{x}/' },
      { slot: 'plain', listenPath: '/t1/' },
      { slot: 'plain-of-same-weight', listenPath: '/t1' },
    ])
    expect(api('/t1z')).toBe('plain-of-same-weight')
    expect(api('/t1/')).toBe('plain')
  })

  it('decodes harmless escapes and counts the characters as received', () => {
    const { api, rest } = table([
      { slot: 'o', listenPath: '/orders/' },
      { slot: 'ä', listenPath: '/ä/' },
    ])
    expect(rest('/%6Frders/%41?')).toBe('%41?')
    expect(rest('/%C3%A4/x')).toBe('x')
    expect(api('/orders%2Fx')).toBeUndefined()
    expect(api('/%ff/x')).toBeUndefined()
    expect(rest('/orders/%zz')).toBe('%zz')
  })

  it('chooses the first of two equal routes', () => {
    const { api } = table([
      { slot: 'a', listenPath: '/x/' },
      { slot: 'b', listenPath: '/x/' },
    ])
    expect(api('/x/')).toBe('a')
  })

  it('finds nothing if it is empty', () => {
    expect(table([]).api('/')).toBeUndefined()
  })
})

describe('domains', () => {
  const routes: readonly Given[] = [
    { slot: 'one', listenPath: '/cd/', domain: 'one.test' },
    { slot: 'two', listenPath: '/cd/', domain: 'two.test' },
    { slot: 'any', listenPath: '/cd/longer/' },
    { slot: 'team', listenPath: '/cd/', domain: '{team:[a-z]+}.example.com' },
  ]

  it('select among APIs with one listen path; port and case do not count', () => {
    const { api } = table(routes, { customDomains: true })
    expect(api('/cd/x', 'one.test')).toBe('one')
    expect(api('/cd/x', 'TWO.test:8080')).toBe('two')
    expect(api('/cd/x', 'else.test')).toBeUndefined()
    expect(api('/cd/x', undefined)).toBeUndefined()
    expect(api('/cd/longer/x', 'else.test')).toBe('any')
  })

  it('come before APIs without one, even if those have the longer path', () => {
    const { api } = table(routes, { customDomains: true })
    expect(api('/cd/longer/x', 'one.test')).toBe('one')
    expect(api('/nowhere', 'one.test')).toBeUndefined()
  })

  it('can contain variables', () => {
    const { api } = table(routes, { customDomains: true })
    expect(api('/cd/x', 'blue.example.com')).toBe('team')
    expect(api('/cd/x', '7.example.com')).toBeUndefined()
    expect(api('/cd/x', 'a.blue.example.com')).toBeUndefined()
  })

  it('compete only by the length of the listen path', () => {
    const { api } = table(
      [
        { slot: 'exact', listenPath: '/salt', domain: 'table.test' },
        { slot: 'pattern', listenPath: '/salt-sea', domain: '{host:[a-z]+}.test' },
        { slot: 'any', listenPath: '/salt-sea-fine' },
        { slot: 'same', listenPath: '/salt', domain: '{host:[a-z]+}.test' },
      ],
      { customDomains: true },
    )
    expect(api('/salt', 'table.test')).toBe('exact')
    expect(api('/salt', 'other.test')).toBe('same')
    expect(api('/salt-sea-fine', 'table.test')).toBe('pattern')
    expect(api('/salt-sea-fine', '9.test')).toBe('any')
  })

  it('match the whole host with a pattern', () => {
    const { api } = table([{ slot: 'x', listenPath: '/k/', domain: '{host:a|ab}' }], { customDomains: true })
    expect(api('/k/', 'ab')).toBe('x')
    expect(api('/k/', 'abc')).toBeUndefined()
  })

  it('compare the port only if they name one', () => {
    const { api } = table(
      [
        { slot: 'port', listenPath: '/p/', domain: 'port.test:8123' },
        { slot: 'pattern', listenPath: '/q/', domain: '{sub}.test:8123' },
      ],
      { customDomains: true },
    )
    expect(api('/p/', 'Port.test:8123')).toBe('port')
    expect(api('/p/', 'port.test')).toBeUndefined()
    expect(api('/p/', 'port.test:8124')).toBeUndefined()
    expect(api('/q/', 'a.test:8123')).toBe('pattern')
    expect(api('/q/', 'a.test')).toBeUndefined()
  })

  it('are ignored unless they are switched on', () => {
    expect(table(routes).api('/cd/x', 'two.test')).toBe('one')
  })

  it('default to the host name of the gateway', () => {
    const { api } = table([{ slot: 'x', listenPath: '/k/' }], { hostname: 'gw.example' })
    expect(api('/k/x', 'gw.example:1234')).toBe('x')
    expect(api('/k/x', 'localhost')).toBeUndefined()
    expect(api('/k/x')).toBeUndefined()
  })

  it('can be IPv6 addresses', () => {
    const { api } = table([{ slot: 'x', listenPath: '/k/' }], { hostname: '[::1]' })
    expect(api('/k/x', '[::1]:8080')).toBe('x')
  })
})
