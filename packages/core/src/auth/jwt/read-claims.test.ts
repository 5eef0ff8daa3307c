import { describe, expect, it } from 'vitest'
import { claimOf, scopesOf } from './read-claims.ts'

describe('claims', () => {
  it('are looked up by the literal name first, then as a path', () => {
    const claims = { 'a.b': 1, a: { b: 2, c: { d: 3 } } }
    expect(claimOf(claims, 'a.b')).toBe(1)
    expect(claimOf(claims, 'a.c.d')).toBe(3)
    expect(claimOf(claims, 'a.x.d')).toBeUndefined()
    expect(claimOf({ a: ['x'] }, 'a.0')).toBeUndefined()
  })

  it('never come from a prototype', () => {
    expect(claimOf({}, 'constructor')).toBeUndefined()
    expect(claimOf({ a: {} }, 'a.constructor.name')).toBeUndefined()
  })

  it('scopes are the words of a text or the entries of a list', () => {
    expect(scopesOf({ scope: ' a  b ' }, 'scope')).toEqual(['a', 'b'])
    expect(scopesOf({ x: { s: ['a b', 3, ''] } }, 'x.s')).toEqual(['a b'])
    expect(scopesOf({ scope: 3 }, 'scope')).toEqual([])
  })
})
