import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { fieldValueOf, headerSafe, textOfFieldValue } from './field-values.ts'

const bytesOf = (value: string) => [...Buffer.from(value, 'latin1')]

describe('values of headers', () => {
  test.prop([fc.string({ unit: 'grapheme' })])('are the UTF-8 bytes of any text', (text) => {
    expect(bytesOf(fieldValueOf(text))).toEqual([...Buffer.from(text, 'utf8')])
    expect(textOfFieldValue(fieldValueOf(text))).toBe(text)
  })

  it('that are not UTF-8 are their own text', () => {
    expect(textOfFieldValue('caf\u00e9')).toBe('café')
    expect(textOfFieldValue('€')).toBe('€')
  })

  it('are one line', () => {
    expect(headerSafe('é\r\nX: 1')).toBe(`${fieldValueOf('é')}  X: 1`)
  })
})
