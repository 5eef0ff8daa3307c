/** The test suite for implementations of the port `TokenVerifier`. */
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import type { TokenKey, TokenVerifier } from '@turnpike/core/ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  encode,
  familyOf,
  p256,
  pairOf,
  pem,
  publicKeyAlgorithms,
  rsa,
  secret,
  signBy,
  signToken,
} from './token-fixtures.ts'

/** A certificate with a key on the curve P-256, and its private key, in PEM. */
export interface CertificateFixture {
  readonly cert: string
  readonly key: string
}

/** Declares the suite under the adapter's name. */
export function tokenVerifierSuite(name: string, verifier: TokenVerifier, certificate: CertificateFixture): void {
  const verifies = (text: string, key: TokenKey | undefined) => {
    const token = verifier.parse(text)
    return token !== undefined && key?.verifies(token) === true
  }
  const sharedKey = verifier.readKey({ kind: 'secret', bytes: Buffer.from(secret) })
  describe(`token verifier: ${name}`, () => {
    declareParsing(verifier)
    declareForgeries((text) => verifies(text, sharedKey))
    declareSecrets(verifier, verifies)
    declarePublicKeys(verifier, verifies)
    declareKeyForms(verifier, verifies, certificate)
  })
}

function declareParsing({ parse }: TokenVerifier): void {
  it('reads the family, the key id and the claims', () => {
    expect(parse(signToken({ sub: 'a' }, { kid: 'k' }))).toMatchObject({
      family: 'hmac',
      kid: 'k',
      claims: { sub: 'a' },
    })
    expect(parse(signToken({}, { kid: 7 }))?.kid).toBeUndefined()
  })

  it.each(['HS512', ...publicKeyAlgorithms])('knows the family of %s', (alg) => {
    expect(parse(signToken({}, { alg }))?.family).toBe(familyOf[alg[0] ?? ''])
  })

  it.each(['none', 'EdDSA'])('knows %s as an algorithm that is never accepted', (alg) => {
    expect(parse(signToken({}, { alg }))?.family).toBe('other')
  })

  it.each(['HS1', 'hs256', ['HS256'], undefined, 'constructor'])('knows no family of the algorithm %j', (alg) => {
    expect(parse(signToken({}, { alg }))?.family).toBe('unknown')
  })

  const good = signToken({ sub: 'a' })
  const header = encode({ alg: 'HS256' })
  it.each([
    ['an empty text', ''],
    ['a text without dots', 'abc'],
    ['two parts', good.split('.').slice(0, 2).join('.')],
    ['four parts', `${good}.a`],
    ['five parts', `${good}.a.b`],
    ['a header that is no object', `${encode('[]')}.${encode('{}')}.`],
    ['claims that are no object', `${header}.${encode('"x"')}.`],
    ['claims that are null', `${header}.${encode('null')}.`],
    ['claims that are no JSON', `${header}.${encode('{')}.`],
    ['claims that are not UTF-8', `${header}.${Buffer.from('{"sub":"\xff"}', 'latin1').toString('base64url')}.`],
    ['claims that nest too deep', `${header}.${encode(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)}.`],
    ['padding', `${encode('{"alg":"HS256"} ')}=.${encode('{}')}.`],
    ['a space', `${header}.${encode('{}')} .`],
    ['the alphabet of plain base64', `${header}.${Buffer.from('{"a":"???>>>"}').toString('base64')}.`],
    ['unused bits that are not zero', `${header}.${withOtherLastBits(encode('{"a":1}'))}.`],
    ['an extension that must be understood', signToken({}, { crit: ['exp'], exp: 1 })],
    ['an empty list of extensions', signToken({}, { crit: [] })],
    ['extensions that are null', signToken({}, { crit: null })],
  ])('rejects %s', (_what, text) => {
    expect(parse(text)).toBeUndefined()
  })

  it('treats __proto__ as an ordinary name', () => {
    expect(parse(`${header}.${encode('{"__proto__":{"sub":"x"}}')}.`)?.claims['sub']).toBeUndefined()
  })
}

/** The same bytes in base64url, with unused trailing bits that are not zero. */
function withOtherLastBits(text: string): string {
  const next = String.fromCharCode(text.charCodeAt(text.length - 1) + 1)
  return text.slice(0, -1) + next
}

function declareForgeries(verifies: (text: string) => boolean): void {
  const claims = fc.record({ sub: fc.string({ minLength: 1 }), n: fc.integer() }, { requiredKeys: ['sub'] })

  it('accepts a token with the secret and rejects it with any other', () => {
    fc.assert(
      fc.property(claims, (given) => {
        expect(verifies(signToken(given))).toBe(true)
        expect(verifies(signToken(given, {}, `${secret}x`))).toBe(false)
      }),
    )
  })

  it('rejects a token with one character changed', () => {
    fc.assert(
      fc.property(claims, fc.nat(), fc.constantFrom(...'AQgw09-_zZ.=+/ '), (given, at, letter) => {
        const token = signToken(given)
        const place = at % token.length
        fc.pre(token[place] !== letter)
        expect(verifies(token.slice(0, place) + letter + token.slice(place + 1))).toBe(false)
      }),
    )
  })

  it('rejects a token that was cut, and one with the signature of another', () => {
    fc.assert(
      fc.property(claims, claims, fc.nat(), (one, other, at) => {
        const token = signToken(one)
        expect(verifies(token.slice(0, 1 + (at % (token.length - 1))))).toBe(false)
        const [header, body] = token.split('.')
        expect(verifies(`${header}.${body}.${signToken({ ...other, jti: 1 }).split('.')[2]}`)).toBe(false)
      }),
    )
  })

  it('rejects any token without a valid signature', () => {
    const header = fc.oneof(
      fc.json(),
      fc.constantFrom('{"alg":"none"}', '{"alg":"HS256"}', '{"alg":["HS256"]}', '{"alg":"RS256"}'),
    )
    const signature = fc.base64String({ maxLength: 64 }).map((text) => text.replaceAll('=', ''))
    fc.assert(
      fc.property(header, fc.json(), signature, (head, body, given) => {
        expect(verifies(`${encode(head)}.${encode(body)}.${given}`)).toBe(false)
        expect(verifies(`${encode(head)}.${encode(body)}.`)).toBe(false)
      }),
    )
  })
}

type Verifies = (text: string, key: TokenKey | undefined) => boolean

function declareSecrets({ readKey }: TokenVerifier, verifies: Verifies): void {
  const keyOf = (text: string) => readKey({ kind: 'secret', bytes: Buffer.from(text) })

  it.each(['HS256', 'HS384', 'HS512'])('verifies %s, regardless of its times', (alg) => {
    expect(verifies(signToken({ exp: 1, nbf: 4e9 }, { alg }), keyOf(secret))).toBe(true)
    expect(verifies(signToken({ exp: 'x', nbf: 'x' }, { alg }), keyOf(secret))).toBe(true)
  })

  it('does not read an empty secret', () => {
    expect(keyOf('')).toBeUndefined()
  })

  it('reads a secret from a JSON web key', () => {
    const jwk = (k: unknown) => readKey({ kind: 'jwk', jwk: { kty: 'oct', k } })
    expect(verifies(signToken({}), jwk(encode(secret)))).toBe(true)
    for (const k of ['', '=', `${encode(secret)}=`, 7, undefined]) expect(jwk(k)).toBeUndefined()
  })

  it('verifies no token of another family with a secret', () => {
    const text = pem(rsa.publicKey)
    expect(verifies(signBy('RS256', rsa.privateKey), keyOf(text))).toBe(false)
    // A token that is signed with the text of a public key as its secret.
    expect(verifies(signToken({}, { alg: 'HS256' }, text), readKey({ kind: 'pem', text }))).toBe(false)
  })
}

function declarePublicKeys({ readKey }: TokenVerifier, verifies: Verifies): void {
  it.each(publicKeyAlgorithms)('verifies %s, and no other signature as %s', (algorithm) => {
    const { publicKey, privateKey } = pairOf(algorithm)
    const key = readKey({ kind: 'pem', text: pem(publicKey) })
    expect(key?.family).toBe(familyOf[algorithm[0] ?? ''])
    const token = signBy(algorithm, privateKey)
    const [header, , signature = ''] = token.split('.')
    expect(verifies(token, key)).toBe(true)
    expect(verifies(`${header}.${encode({ sub: 'b' })}.${signature}`, key)).toBe(false)
    expect(verifies(token.slice(0, -4), key)).toBe(false)
    for (const other of publicKeyAlgorithms.filter((it) => it !== algorithm)) {
      const claimed = `${encode({ alg: other })}.${encode({ sub: 'a' })}`
      const forged = signBy(algorithm, privateKey, claimed)
      expect(verifies(forged, key), other).toBe(false)
    }
  })

  it('verifies ES algorithms with a key on their own curve only', () => {
    const key = readKey({ kind: 'pem', text: pem(p256.publicKey) })
    expect(verifies(signBy('ES384', p256.privateKey), key)).toBe(false)
    expect(
      readKey({ kind: 'pem', text: pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey) }),
    ).toBeUndefined()
  })
}

function declareKeyForms({ readKey }: TokenVerifier, verifies: Verifies, certificate: CertificateFixture): void {
  const byCertificate = signBy('ES256', createPrivateKey(certificate.key))

  it('reads JSON web keys', () => {
    for (const [alg, { publicKey, privateKey }] of [['RS256', rsa] as const, ['ES256', p256] as const]) {
      const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }
      expect(verifies(signBy(alg, privateKey), readKey({ kind: 'jwk', jwk }))).toBe(true)
    }
  })

  it('reads x5c of a JSON web key without key parameters', () => {
    const jwk = { kty: 'EC', kid: 'k', x5c: [new X509Certificate(certificate.cert).raw.toString('base64')] }
    expect(verifies(byCertificate, readKey({ kind: 'jwk', jwk }))).toBe(true)
  })

  it('reads certificates and PKCS #1', () => {
    expect(verifies(byCertificate, readKey({ kind: 'pem', text: certificate.cert }))).toBe(true)
    expect(readKey({ kind: 'pem', text: pem(rsa.publicKey, 'pkcs1') })?.family).toBe('rsa')
  })

  it.each([
    ['an empty text', ''],
    ['other text', 'hello'],
    ['a private key', String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }))],
    ['another kind of key', pem(generateKeyPairSync('ed25519').publicKey)],
  ])('reads no key from %s', (_what, text) => {
    expect(readKey({ kind: 'pem', text })).toBeUndefined()
  })

  it.each([
    {},
    { kty: 'RSA' },
    { kty: 'RSA', n: 'x', e: 7 },
    { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' },
    { x5c: ['nonsense'] },
    { x5c: 'AA' },
  ])('reads no key from the JSON web key %j', (jwk) => {
    expect(readKey({ kind: 'jwk', jwk })).toBeUndefined()
  })
}
