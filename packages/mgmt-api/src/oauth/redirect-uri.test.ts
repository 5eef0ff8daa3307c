import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseRedirect, redirectMatchOf, registeredUris, withFragment, withQuery } from './redirect-uri.ts'

const one = ['http://client.test/cb']

describe('a redirect URI', () => {
  it('is the first registered one if the request names none', () => {
    expect(chooseRedirect('', ['http://one.test/', 'http://two.test/'], 'exact')).toBe('http://one.test/')
    expect(chooseRedirect('', [], 'exact')).toBeUndefined()
  })

  it.each([
    'http://client.test/cb',
    'http://client.test/cb/deeper',
    'http://client.test/cb?x=1',
    'HTTP://Client.Test/cb',
    'http://client.test/cb/a..b',
  ])('may be %s', (uri) => {
    expect(chooseRedirect(uri, one, 'prefix')).toBe(uri)
  })

  it.each([
    'https://client.test/cb',
    'http://client.test:81/cb',
    'http://evil.test/cb',
    'http://client.test.evil.test/cb',
    'http://client.test@evil.test/cb',
    'http://evil.test\\@client.test/cb',
    'http://client.test/',
    'http://client.test/cb#frag',
    'http://client.test/cb/../admin',
    'http://client.test/cb/%2e%2E/admin',
    'http://client.test/cb/..%2fadmin',
    'http://client.test/cb/..%5cadmin',
    'http://client.test/cb\r\nX: y',
    'http://client.test/cb y',
    '//client.test/cb',
    '/cb',
    'javascript:alert(1)',
    'nonsense',
  ])('may not be %j', (uri) => {
    expect(chooseRedirect(uri, one, 'prefix')).toBeUndefined()
  })

  it('must equal a registered one in exact mode', () => {
    const registered = ['http://client.test/cb', 'http://client.test/cb?x=1', 'http://client.test/cb#frag']
    expect(chooseRedirect('http://client.test/cb', registered, 'exact')).toBe('http://client.test/cb')
    expect(chooseRedirect('http://client.test/cb?x=1', registered, 'exact')).toBe('http://client.test/cb?x=1')
    const others = ['/cb/deeper', '/cb/', '/cb?x=2', '/cb#frag', '/cb2'].map((end) => `http://client.test${end}`)
    for (const uri of [...others, 'HTTP://client.test/cb', 'http://client.test:80/cb']) {
      expect(chooseRedirect(uri, registered, 'exact'), uri).toBeUndefined()
    }
  })

  it('is matched exactly for clients of this version, unless the switch is on', () => {
    expect(redirectMatchOf({ exactRedirect: true }, { redirectPrefix: false })).toBe('exact')
    expect(redirectMatchOf({ exactRedirect: true }, { redirectPrefix: true })).toBe('prefix')
    expect(redirectMatchOf({ exactRedirect: false }, { redirectPrefix: false })).toBe('prefix')
  })

  it('may have the scheme of an application', () => {
    expect(chooseRedirect('com.example.app:/cb', ['com.example.app:/cb'], 'exact')).toBe('com.example.app:/cb')
  })

  it('that was registered with a fragment matches nothing', () => {
    expect(chooseRedirect('http://client.test/cb', ['http://client.test/cb#x'], 'prefix')).toBeUndefined()
  })

  it('is one of several if a separator splits them', () => {
    expect(registeredUris('http://a.test/; http://b.test/;', ';')).toEqual(['http://a.test/', 'http://b.test/'])
    expect(registeredUris('http://a.test/;b', '')).toEqual(['http://a.test/;b'])
    expect(registeredUris('', '')).toEqual([])
  })

  it('keeps its query and escapes added parameters', () => {
    expect(withQuery('http://a.test/?x=1', [['state', 'a b&c=ü']])).toBe('http://a.test/?x=1&state=a+b%26c%3D%C3%BC')
    expect(withFragment('http://a.test/', [['t', '\uD800']])).toBe('http://a.test/#t=%EF%BF%BD')
  })

  it('never leaves the hosts that are registered, as a browser reads it', () => {
    const part = fc.constantFrom(
      'http://',
      'client.test',
      '/cb',
      '/',
      '..',
      '@',
      '\\',
      'evil.test',
      ':',
      '%2e',
      '?',
      '#',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
        const uri = chooseRedirect(parts.join(''), one, 'prefix')
        if (uri === undefined) return
        const read = new URL(uri)
        expect([read.protocol, read.host]).toEqual(['http:', 'client.test'])
        expect(read.pathname.startsWith('/cb')).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
