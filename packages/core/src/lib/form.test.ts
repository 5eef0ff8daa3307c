import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { decodeFieldStrictly, encodeField, formFields, nameOfField, parameterOf, withoutParameter } from './form.ts'
import { decodePercent } from './text/percent.ts'

describe('query parameters', () => {
  it.each([
    ['a=1&tok=x', 'x'],
    ['tok=a%20b+c', 'a b c'],
    ['t%6Fk=y', 'y'],
    ['tok', ''],
    ['nottok=1', ''],
    ['tok=%zz', '%zz'],
    ['tok=1&tok=2', '1'],
    ['', ''],
    ['&&tok=z', 'z'],
    ['a=b=c&tok=d=e', 'd=e'],
  ])('%s', (query, value) => {
    expect(parameterOf(query, 'tok')).toBe(value)
  })
})

describe('parameters of a query', () => {
  it('are found after a question mark that is part of the first name', () => {
    expect(parameterOf('?tok=1', 'tok')).toBe('')
    expect(parameterOf('?tok=1', '?tok')).toBe('1')
  })

  it('are removed by their decoded name without other changes', () => {
    expect(withoutParameter('a=%zz&t%6Fk=1&&b=+&tok&a', 'tok')).toBe('a=%zz&&b=+&a')
    expect(nameOfField('%61+b=c')).toBe('a b')
  })
})

describe('form fields', () => {
  it('keep their order, their repetitions and invalid escapes', () => {
    expect([...formFields('b=1&a=x+y&b=%zz&&c', 'b=3')]).toEqual([
      ['b', ['1', '%zz', '3']],
      ['a', ['x y']],
      ['c', ['']],
    ])
  })

  it('beyond 10,000 are ignored', () => {
    expect(formFields('a&'.repeat(100_000)).get('a')).toHaveLength(10_000)
  })

  test.prop([fc.string({ unit: 'binary' })])('are read as they were written', (text) => {
    expect(formFields(`a=${encodeField(text)}`).get('a')).toEqual([text.toWellFormed()])
    expect(decodeFieldStrictly(encodeField(text))).toBe(text.toWellFormed())
  })
})

describe('strict decoding', () => {
  it.each(['%', '%zz', '%ff', '%c3&%a9'])('rejects %s', (text) => {
    expect(decodeFieldStrictly(text)).toBeUndefined()
  })
})

describe('percent escapes of paths', () => {
  it('are decoded for ASCII beside bytes that are not UTF-8', () => {
    expect(decodePercent('/%61%ff%62/%2f')).toBe('/a%ffb//')
  })
})
