import { describe, expect, it } from 'vitest'
import { compilePathPattern, hasVariablePattern, type PathPatternOptions } from './path-pattern.ts'

function matches(rule: string, path: string, options: PathPatternOptions = {}): boolean {
  const pattern = compilePathPattern(rule, options)
  if (pattern.problem !== undefined) throw new Error(pattern.problem)
  return pattern.test(path)
}

describe('the path of a rule', () => {
  it('matches anywhere in the path', () => {
    for (const path of ['/no', '/deep/no/where', '/nowhere']) expect(matches('/no', path)).toBe(true)
    expect(matches('/no', '/NO')).toBe(false)
  })

  it('matches one segment with a variable or a star, and the rest with a star at the end', () => {
    expect(matches('/users/{id}/keys', '/users/1/keys')).toBe(true)
    expect(matches('/users/{id}/keys', '/users/1/2/keys')).toBe(false)
    expect(matches('/users/*/keys', '/users/1/keys')).toBe(true)
    expect(matches('^/a/*/*/z$', '/a/1/2/z')).toBe(true)
    expect(matches('^/a/*/*/z$', '/a/1/z')).toBe(false)
    expect(matches('^/a/*$', '/a/1/2/3')).toBe(true)
  })

  it('is otherwise a regular expression, including quantifiers in braces', () => {
    expect(matches('/item/[0-9]+$', '/item/77')).toBe(true)
    expect(matches('/item/[0-9]+$', '/item/abc')).toBe(false)
    expect(matches('/item/[0-9]{2}$', '/item/77')).toBe(true)
    expect(matches('/item/{id:[0-9]{2}}$', '/item/77')).toBe(true)
    expect(matches('/item/{id:[0-9]{2}}$', '/item/7')).toBe(false)
  })

  it('is anchored at the start or the end if the gateway settings require it', () => {
    const options = { prefix: true, suffix: true }
    expect(matches('/no', '/no', options)).toBe(true)
    for (const path of ['/deep/no', '/no/more', '/nowhere']) expect(matches('/no', path, options)).toBe(false)
    expect(matches('no', '/deep/no', options)).toBe(true)
    expect(matches('/no$', '/no', options)).toBe(true)
  })

  it('matches line feeds with a dot, so that %0a does not bypass it', () => {
    expect(matches('/orders/.*/raw', '/orders/1\n/raw')).toBe(true)
    expect(matches('/orders/*', '/orders/\n1', { suffix: true })).toBe(true)
  })

  it('ignores case with the option', () => {
    expect(matches('/shout', '/SHOUT', { ignoreCase: true })).toBe(true)
  })

  it('is reported if it is invalid', () => {
    expect(compilePathPattern('/a(').problem).toEqual(expect.any(String))
  })

  it('has variables named by numbers where nothing could be repeated', () => {
    expect(matches('^/single/{1}$', '/single/foo')).toBe(true)
    expect(matches('^/single/{1}$', '/single/')).toBe(false)
    expect(matches('/multiple/{1}/{2}', '/multiple/a/b')).toBe(true)
    expect(matches('/secret/{1}$', '/secret/')).toBe(false)
    expect(matches('^/(?:{12}|x)/z$', '/abc/z')).toBe(true)
    expect(matches('^/{1:[0-9]+}$', '/7')).toBe(true)
    expect(matches('^/{1a}/{user id}$', '/7/8')).toBe(true)
    expect(matches('^/a{2}/b{1,2}$', '/aa/bb')).toBe(true)
    expect(matches('^/\\d{3}$', '/123')).toBe(true)
  })

  it('leaves the braces of escapes alone', () => {
    expect(matches('^/\\p{L}+$', '/é')).toBe(true)
    expect(matches('^/\\p{L}+$', '/7')).toBe(false)
    expect(matches('^/\\x{61}$', '/a')).toBe(true)
    expect(matches('^/\\{id\\}$', '/{id}')).toBe(true)
  })

  it('matches any segment in place of a variable with a pattern if the list rejects', () => {
    const options = { anySegment: true }
    expect(matches('^/x/{id:[0-9]+}$', '/x/abc', options)).toBe(true)
    expect(matches('^/x/{id:[0-9]+}$', '/x/', options)).toBe(false)
    expect(matches('^/x/{rest:.*}$', '/x/', options)).toBe(true)
    expect(matches('^/x/{rest:.*}$', '/x/a/b', options)).toBe(true)
    expect(hasVariablePattern('/x/{id:[0-9]+}')).toBe(true)
    expect(hasVariablePattern('/x/{id}')).toBe(false)
  })
})
