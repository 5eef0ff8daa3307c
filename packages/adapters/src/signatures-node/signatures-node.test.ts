import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { type PublicKeyAlgorithm, publicKeyAlgorithms } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { member } from '../certificates-node/testing/test-certificates.ts'
import { nodeSignatures } from './signatures-node.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' })
const pairs: Record<string, { publicKey: KeyObject; privateKey: KeyObject }> = { ES256: p256, ES384: p384, ES512: p521 }
const pairOf = (algorithm: PublicKeyAlgorithm) => pairs[algorithm] ?? rsa
const pem = (key: KeyObject, type: 'spki' | 'pkcs1' = 'spki') => String(key.export({ type, format: 'pem' }))
const data = new TextEncoder().encode('what is signed')

function signBy(algorithm: PublicKeyAlgorithm, key: KeyObject): Uint8Array {
  const hash = `sha${algorithm.slice(2)}`
  if (algorithm.startsWith('ES')) return sign(hash, data, { key, dsaEncoding: 'ieee-p1363' })
  // Padding 6 is RSA_PKCS1_PSS_PADDING, salt length -1 is the length of the hash.
  if (algorithm.startsWith('PS')) return sign(hash, data, { key, padding: 6, saltLength: -1 })
  return sign(hash, data, key)
}

describe('public keys', () => {
  it.each(publicKeyAlgorithms)('verify %s and no other algorithm', (algorithm) => {
    const { publicKey, privateKey } = pairOf(algorithm)
    const key = nodeSignatures.readKey({ kind: 'pem', text: pem(publicKey) })
    const signature = signBy(algorithm, privateKey)
    for (const other of publicKeyAlgorithms) expect(key?.verify(other, data, signature)).toBe(other === algorithm)
    expect(key?.verify(algorithm, data.subarray(1), signature)).toBe(false)
    expect(key?.verify(algorithm, data, signature.subarray(1))).toBe(false)
    expect(key?.verify(algorithm, data, new Uint8Array(0))).toBe(false)
  })

  it('are read from JSON Web Keys', () => {
    for (const { publicKey, privateKey } of [rsa, p256]) {
      const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }
      const key = nodeSignatures.readKey({ kind: 'jwk', jwk })
      const algorithm = publicKey === rsa.publicKey ? 'RS256' : 'ES256'
      expect(key?.verify(algorithm, data, signBy(algorithm, privateKey))).toBe(true)
    }
  })

  it('are read from x5c of a JSON Web Key without key parameters', () => {
    const der = new X509Certificate(member.cert).raw.toString('base64')
    const key = nodeSignatures.readKey({ kind: 'jwk', jwk: { kty: 'EC', kid: 'k', x5c: [der] } })
    expect(key?.verify('ES256', data, signBy('ES256', createPrivateKey(member.key)))).toBe(true)
  })

  it('are read from certificates', () => {
    const key = nodeSignatures.readKey({ kind: 'pem', text: member.cert })
    expect(key?.verify('ES256', data, signBy('ES256', createPrivateKey(member.key)))).toBe(true)
  })

  it('are read from PKCS#1', () => {
    const key = nodeSignatures.readKey({ kind: 'pem', text: pem(rsa.publicKey, 'pkcs1') })
    expect(key?.family).toBe('rsa')
  })

  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['a private key', String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }))],
    ['another kind of key', pem(generateKeyPairSync('ed25519').publicKey)],
  ])('are not read from %s', (_what, text) => {
    expect(nodeSignatures.readKey({ kind: 'pem', text })).toBeUndefined()
  })

  it.each([
    {},
    { kty: 'RSA' },
    { kty: 'RSA', n: 'x', e: 7 },
    { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' },
    { kty: 'oct', k: 'AA' },
    { x5c: ['nonsense'] },
    { x5c: 'AA' },
  ])('are not read from %j', (jwk) => {
    expect(nodeSignatures.readKey({ kind: 'jwk', jwk })).toBeUndefined()
  })
})
