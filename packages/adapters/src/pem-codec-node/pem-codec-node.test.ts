import { readFileSync } from 'node:fs'
import type { PemContents } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import { authority, listed, member, stranger } from '../certificates-node/testing/test-certificates.ts'
import { dnsNamesOf } from './certificate-details.ts'
import { decryptPrivateKey, deriveKey, encryptPrivateKey } from './encrypted-private-key.ts'
import { readPemBlocks } from './pem-blocks.ts'
import { makeNodePemCodec } from './pem-codec-node.ts'

const vectors = JSON.parse(readFileSync(new URL('./testing/sealed-certificates.json', import.meta.url), 'utf8')) as {
  secret: string
  key: { plain_hex: string; iv: string; aes_key_hex: string; pem: string }
  certificate: {
    certificate_sha256: string
    public_key_sha256: string
    iv: string
    aes_key_hex: string
    private_key_der_hex: string
    value: string
  }
}
const { secret } = vectors
const codec = makeNodePemCodec({ secret })

function read(text: string): PemContents {
  const contents = codec.read(text)
  if ('problem' in contents) throw new Error(contents.problem)
  return contents
}

const problemOf = (text: string) => {
  const contents = codec.read(text)
  return 'problem' in contents ? contents.problem : 'none'
}

describe('an encrypted private key in the format of existing nodes', () => {
  it('has a key that is derived from password and salt with MD5', () => {
    for (const { iv, aes_key_hex } of [vectors.key, vectors.certificate]) {
      expect(Buffer.from(deriveKey(secret, Buffer.from(iv, 'hex'))).toString('hex')).toBe(aes_key_hex)
    }
  })

  it('has the same bytes as the recorded one and can be decrypted', () => {
    const { plain_hex, iv, pem } = vectors.key
    const der = Buffer.from(plain_hex, 'hex')
    expect(encryptPrivateKey(der, secret, Buffer.from(iv, 'hex'))).toBe(pem)
    const [block] = readPemBlocks(pem)
    expect(block && Buffer.from(decryptPrivateKey(block, secret) ?? [])).toEqual(der)
  })

  it('cannot be decrypted with another secret', () => {
    expect(makeNodePemCodec({ secret: 'another' }).open(vectors.certificate.value)).toBeUndefined()
  })
})

describe('a stored certificate', () => {
  it('of an existing node is decrypted with its private key', () => {
    const contents = codec.open(vectors.certificate.value)
    expect(contents?.sha256).toBe(vectors.certificate.certificate_sha256)
    expect(contents?.hasPrivateKey).toBe(true)
    const [, key] = readPemBlocks(contents?.pem ?? '')
    expect(key?.type).toBe('EC PRIVATE KEY')
    expect(Buffer.from(key?.der ?? []).toString('hex')).toBe(vectors.certificate.private_key_der_hex)
  })

  it('is encrypted to the recorded format: blocks with an empty line between them', () => {
    const contents = codec.open(vectors.certificate.value) as PemContents
    const sealed = codec.seal(contents)
    const [, iv = ''] = /AES-256-CBC,([0-9a-f]+)/.exec(sealed) ?? []
    expect(sealed.slice(0, sealed.indexOf('DEK-Info'))).toBe(
      vectors.certificate.value.slice(0, vectors.certificate.value.indexOf('DEK-Info')),
    )
    expect(iv).not.toBe(vectors.certificate.iv)
    expect(codec.open(sealed)).toEqual(contents)
  })

  it('contains no unencrypted private key', () => {
    const sealed = codec.seal(read(`${listed.key}\n${listed.cert}`))
    expect(sealed).not.toContain('BEGIN PRIVATE KEY')
    expect(codec.open(sealed)).toEqual(read(`${listed.cert}\n${listed.key}`))
  })

  it('is not returned if it is damaged', () => {
    expect(codec.open('')).toBeUndefined()
    expect(codec.open(vectors.certificate.value.replace('MII', 'MIX'))).toBeUndefined()
  })
})

describe('an uploaded text', () => {
  it('can be a certificate or a chain, with or without its private key, in any order', () => {
    const { sha256 } = read(member.cert)
    expect(read(`${member.cert}\n${authority.cert}`).sha256).toBe(sha256)
    expect(read(`${member.key}\n${member.cert}`).sha256).toBe(sha256)
    expect(read(`text before\n${member.cert}\r\n${member.key}`).hasPrivateKey).toBe(true)
    expect(read(member.cert).details).toMatchObject({
      subject: [{ type: 'CN', value: 'member' }],
      issuer: [{ type: 'CN', value: 'test-authority' }],
      isCa: false,
    })
  })

  it('can be a public key', () => {
    const key =
      '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEzmF9TnFrgtxLFw9szHlMyqX6wy7E\nqfAhbgBWmOtJdqab37JWr7KtobuEOi7/VFT2XNbvTv6/BmQxuZG1vof3PA==\n-----END PUBLIC KEY-----\n'
    expect(read(key)).toEqual({
      sha256: vectors.certificate.public_key_sha256,
      details: undefined,
      hasPrivateKey: false,
      pem: key,
    })
    expect(problemOf(key + listed.cert)).toBe("Public keys can't be combined with certificates")
    expect(problemOf(key + listed.key)).toBe("Public keys can't be combined with certificates")
  })

  it('is rejected with the messages that existing clients know', () => {
    const undecodable = 'Failed to decode certificate. It should be PEM encoded.'
    for (const text of ['', 'hello', listed.key, listed.cert.replace('MII', 'MIX'), listed.cert.slice(0, -20)]) {
      expect(problemOf(text)).toBe(undecodable)
    }
    expect(problemOf(`${listed.cert}\n${stranger.key}`)).toBe('tls: private key does not match public key')
    expect(problemOf(`${listed.cert}\n${listed.key}\n${listed.key}`)).toBe('Found multiple private keys')
    const broken = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'
    expect(problemOf(`${listed.cert}\n${broken}`)).toBe('tls: failed to parse private key')
  })
})

describe('names of a certificate', () => {
  it('are DNS names only, also if a name contains a comma', () => {
    expect(dnsNamesOf('DNS:a.test, IP Address:127.0.0.1, DNS:*.b.test')).toEqual(['a.test', '*.b.test'])
    expect(dnsNamesOf('DNS:"x, DNS:evil.test", DNS:a.test')).toEqual(['x, DNS:evil.test', 'a.test'])
    expect(dnsNamesOf('')).toEqual([])
  })
})
