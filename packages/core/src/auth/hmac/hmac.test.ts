import { describe, expect, it } from 'vitest'
import { requestOf } from '../../../test/support/test-engine.ts'
import { sameBytes, sameText } from '../../lib/constant-time.ts'
import { readSignatureHeader } from './signature-header.ts'
import { readSigningDate } from './signing-date.ts'
import { signingStrings } from './signing-string.ts'

describe('the header of a signed request', () => {
  it('contains key, algorithm, headers and signature in any order', () => {
    const text =
      'Signature signature="a%2bb%3D", headers="(request-target) Date X-A", algorithm="hmac-sha256", keyId="k"'
    expect(readSignatureHeader(text)).toEqual({
      keyId: 'k',
      algorithm: 'hmac-sha256',
      headers: ['(request-target)', 'date', 'x-a'],
      signature: 'a%2Bb%3D',
    })
  })

  it('covers the date by hmac-sha1 if it names neither headers nor algorithm', () => {
    const read = readSignatureHeader('signature keyId="k",signature="s"')
    expect(read).toMatchObject({ headers: ['date'], algorithm: 'hmac-sha1' })
  })

  it.each([
    '',
    'Signature',
    'Signature keyId="k"',
    'Signature keyId="k",algorithm="hmac-sha1"',
    'Signature keyId="",algorithm="hmac-sha1",signature="s"',
    'Signature keyId=k,algorithm=hmac-sha1,signature=s',
    'Signature keyId="k",algorithm="hmac-sha1",signature="s',
    'Signature keyId="k",keyId="l",algorithm="hmac-sha1",signature="s"',
    'Signature keyId="k",algorithm="hmac-sha1",signature="s",created="1"',
    'Signature keyId="k",algorithm="hmac-sha1",signature="s",headers=""',
    'Signature keyId="k",algorithm="",signature="s"',
    'Basic YTpi',
  ])('is invalid: %s', (text) => {
    expect(readSignatureHeader(text)).toBeUndefined()
  })
})

describe('the signed text', () => {
  it('has a line for each header in order, with the method in lower case and the complete path without query', () => {
    const request = requestOf('POST', '/api/a%20b?q=1', { Date: 'D', 'X-A': 'one' })
    expect(signingStrings(request, ['(request-target)', 'date', 'x-a', 'x-none'])).toEqual([
      '(request-target): post /api/a b\ndate: D\nx-a: one\nx-none: ',
    ])
  })

  it('can contain X-Aux-Date under either name', () => {
    const request = requestOf('GET', '/', { Date: 'D', 'X-Aux-Date': 'A' })
    expect(signingStrings(request, ['date'])).toEqual(['x-aux-date: A', 'date: A'])
    expect(signingStrings(request, ['x-a'])).toEqual(['x-a: '])
  })
})

describe('dates of signed requests', () => {
  it('are parsed to the second', () => {
    expect(readSigningDate('Mon, 01 Jan 2024 10:00:07 GMT')).toBe(Date.UTC(2024, 0, 1, 10, 0, 7))
    expect(readSigningDate('Thu, 29 Feb 2024 00:00:00 UTC')).toBe(Date.UTC(2024, 1, 29))
  })

  it.each([
    '',
    'now',
    '2024-01-01T00:00:00Z',
    'Fri, 30 Feb 2024 00:00:00 GMT',
    'Mon, 01 Jan 2024 24:00:00 GMT',
    'Mon, 01 Jan 2024 10:00:00',
  ])('are rejected: %s', (text) => {
    expect(readSigningDate(text)).toBeUndefined()
  })
})

describe('comparing secrets', () => {
  it('returns whether they are equal', () => {
    expect(sameText('añ', 'añ')).toBe(true)
    expect(sameText('a', 'b')).toBe(false)
    expect(sameText('a', 'ab')).toBe(false)
    expect(sameBytes(new Uint8Array(), new Uint8Array())).toBe(true)
  })
})
