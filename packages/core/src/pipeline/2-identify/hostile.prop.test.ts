/** Whatever a client sends, nobody passes who does not hold the secret, and nothing breaks. */
import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { encodeJson, signToken, testSecret } from '../../../test/support/jwt/sign-token.ts'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const source = encodeBase64(utf8Bytes(testSecret))
const closed = { use_keyless: false }
const access_rights = { jwt: {}, own: {}, hmac: {}, basic: {} }
const made = await makeTestEngine({
  definitions: [
    definitionOf('jwt', { ...closed, enable_jwt: true, jwt_source: source, jwt_default_policies: ['p'] }),
    definitionOf('own', { ...closed, enable_jwt: true }),
    definitionOf('hmac', { ...closed, enable_signature_checking: true }),
    definitionOf('basic', { ...closed, use_basic_auth: true }),
  ],
  policies: { p: { id: 'p', org_id: 'org1', access_rights } },
})
await made.putKey('org1k', {
  org_id: 'org1',
  access_rights,
  jwt_data: { secret: 's' },
  hmac_enabled: true,
  hmac_string: 's',
  basic_auth_data: { password: 'pw', hash_type: 'bcrypt' },
})

const statusOf = async (api: string, authorization: string) =>
  (await made.send('GET', `/${api}/x`, { authorization, date: 'Thu, 01 Jan 2026 00:00:00 GMT' })).status

const isFault = () => made.logged.some((line) => line.level === 'error')

const claims = fc.record({ sub: fc.string({ minLength: 1 }), n: fc.integer() }, { requiredKeys: ['sub'] })

describe('a token', () => {
  test.prop([claims])('signed with the secret passes, with any other it does not', async (given) => {
    expect(await statusOf('jwt', signToken(given))).toBe(200)
    expect(await statusOf('jwt', signToken(given, { secret: `${testSecret}x` }))).toBe(403)
  })

  test.prop([claims, fc.nat(), fc.nat(25)])('with one letter changed never passes', async (given, at, shift) => {
    const token = signToken(given)
    const place = at % token.length
    const letter = String.fromCharCode(65 + shift)
    fc.pre(token[place] !== letter)
    const altered = token.slice(0, place) + letter + token.slice(place + 1)
    expect(await statusOf('jwt', token)).toBe(200)
    expect(await statusOf('jwt', altered)).toBe(403)
  })

  test.prop([claims, fc.nat()])('that was cut never passes', async (given, at) => {
    const token = signToken(given)
    const cut = token.slice(0, 1 + (at % (token.length - 1)))
    expect(await statusOf('jwt', cut)).toBe(403)
  })

  test.prop([claims, claims])('with the signature of another never passes', async (one, other) => {
    const [a, b] = [signToken(one).split('.'), signToken({ ...other, jti: 1 }).split('.')]
    expect(await statusOf('jwt', [a[0], a[1], b[2]].join('.'))).toBe(403)
  })

  test.prop([
    fc.oneof(fc.json(), fc.constantFrom('{"alg":"none"}', '{"alg":"HS256"}', '{"alg":["HS256"]}', '{"alg":"RS256"}')),
    fc.json(),
    fc.base64String({ maxLength: 64 }),
  ])('made of anything never passes', async (header, body, signature) => {
    const token = `${encodeJson(header)}.${encodeJson(body)}.${signature.replaceAll('=', '')}`
    expect(await statusOf('jwt', token)).toBe(403)
    expect(await statusOf('own', token)).toBe(403)
    expect(isFault()).toBe(false)
  })
})

describe('hostile headers', () => {
  const junk = fc.string({
    maxLength: 200,
    unit: fc.integer({ min: 0x20, max: 0xff }).map((c) => String.fromCharCode(c)),
  })
  const quoted = fc.array(fc.tuple(fc.constantFrom('keyId', 'algorithm', 'headers', 'signature', 'x'), junk))
  const signature = quoted.map((fields) => `Signature ${fields.map(([name, value]) => `${name}="${value}"`).join(',')}`)
  const credentials = junk.map((text) => `Basic ${encodeBase64(utf8Bytes(text))}`)

  test.prop([fc.oneof(junk, signature, credentials)])('never pass and never break a stage', async (header) => {
    for (const api of ['jwt', 'own', 'hmac', 'basic']) expect(await statusOf(api, header)).not.toBe(200)
    expect(isFault()).toBe(false)
  })
})
