import { describe, expect, it } from 'vitest'
import { encodeJson, signToken } from '../../../test/support/jwt/sign-token.ts'
import { parseToken } from './parse-token.ts'

describe('parsing a token', () => {
  it('tells algorithm, key name and claims', () => {
    const token = parseToken(signToken({ sub: 'a' }, { header: { kid: 'k' } }))
    expect(token).toMatchObject({ algorithm: { family: 'hmac', hash: 'sha256' }, kid: 'k', claims: { sub: 'a' } })
  })

  it.each([
    ['PS384', { family: 'rsa', name: 'PS384' }],
    ['ES512', { family: 'ecdsa', name: 'ES512' }],
    ['none', { family: 'other' }],
    ['EdDSA', { family: 'other' }],
  ])('knows %s', (alg, algorithm) => {
    expect(parseToken(signToken({}, { header: { alg } }))?.algorithm).toEqual(algorithm)
  })

  const good = signToken({ sub: 'a' })
  it.each([
    ['nothing', ''],
    ['no dots', 'abc'],
    ['two parts', good.split('.').slice(0, 2).join('.')],
    ['five parts', `${good}.a.b`],
    ['a header that is no object', `${encodeJson('[]')}.${encodeJson('{}')}.`],
    ['claims that are no object', `${encodeJson('{"alg":"HS256"}')}.${encodeJson('"x"')}.`],
    ['claims that are no JSON', `${encodeJson('{"alg":"HS256"}')}.${encodeJson('{')}.`],
    ['claims that are no UTF-8', `${encodeJson('{"alg":"HS256"}')}._w.`],
    ['an algorithm nobody knows', signToken({}, { header: { alg: 'HS1' } })],
    ['an algorithm in another case', signToken({}, { header: { alg: 'hs256' } })],
    ['no algorithm', signToken({}, { header: { alg: undefined } })],
    ['padding', `${encodeJson('{"alg":"HS256"}')}=.${encodeJson('{}')}.`],
    ['an extension that must be understood', signToken({}, { header: { crit: ['exp'], exp: 1 } })],
    ['an empty list of extensions', signToken({}, { header: { crit: [] } })],
  ])('refuses %s', (_what, text) => {
    expect(parseToken(text)).toBeUndefined()
  })

  it('reads names of the prototype as names', () => {
    const text = `${encodeJson('{"alg":"HS256"}')}.${encodeJson('{"__proto__":{"sub":"x"}}')}.`
    expect(parseToken(text)?.claims['sub']).toBeUndefined()
  })
})
