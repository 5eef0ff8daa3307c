import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDictionary } from './structured-dictionary.ts'

const parsed = (text: string) => {
  const members = parseDictionary(text)
  return members === undefined ? undefined : Object.fromEntries(members)
}

describe('a dictionary of structured fields', () => {
  it.each([
    ['max-age=60, no-store', { 'max-age': 60, 'no-store': true }],
    ['a=?0,b=?1;x=1;y="z" ,\tc=-5', { a: false, b: true, c: -5 }],
    ['a="x, \\"y\\\\", b=tok/en:1, *c', { a: 'x, "y\\', b: 'tok/en:1', '*c': true }],
    ['a=1.5, b=:aGk=:, c=("x" 2;p 3.1), d=@1700000000, e=%"f%c3%bc", f=()', {}],
    ['a=1, a=2', { a: 2 }],
    ['  a  ', { a: true }],
    ['', {}],
  ])('parses %j', (text, expected) => {
    expect(parsed(text)).toEqual(expected)
  })

  it.each([
    'max-age =60',
    'max-age= 60',
    'a, &&&&&',
    'a,',
    ',a',
    'A=1',
    'a=',
    'a="x',
    'a="é"',
    'a=1234567890123456',
    'a=1.2345',
    'a=1.2.3',
    'a=(1',
    'a=(1,2)',
    'a=?2',
    'a b',
    'a;B=1',
    'a=%"%C3"',
  ])('rejects %j', (text) => {
    expect(parsed(text)).toBeUndefined()
  })

  it('keeps integers and strings of any content', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string({ unit: 'grapheme-ascii' }), (number, text) => {
        const quoted = text.replaceAll(/["\\]/g, '\\$&')
        expect(parsed(`a=${number}, b="${quoted}";p, c`)).toEqual({ a: number, b: text, c: true })
      }),
    )
  })

  it('rejects a long invalid text in linear time', () => {
    expect(parsed(`a=(${'x '.repeat(100_000)}`)).toBeUndefined()
    expect(parsed(`a${';b=1'.repeat(100_000)};`)).toBeUndefined()
  })
})
