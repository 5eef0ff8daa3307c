import { generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeNodeCertificates } from './certificates-node.ts'
import { member } from './testing/test-certificates.ts'

const id = 'a'.repeat(64)
const find = (pem: string) => makeNodeCertificates({ stored: () => pem }).find(id)

describe('a stored certificate', () => {
  it('signs with its private key if that is an RSA key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const data = new Uint8Array([1, 2, 3])
    const signature = await (await find(`${member.cert}\n${pem}`))?.signingKey?.sign(data)
    expect(verify('sha256', data, publicKey, signature as Uint8Array)).toBe(true)
  })

  it('does not sign without a private key, or with another kind of key', async () => {
    expect(await find(member.cert)).toMatchObject({ signingKey: undefined })
    expect(await find(`${member.cert}\n${member.key}`)).toMatchObject({ signingKey: undefined })
  })
})
