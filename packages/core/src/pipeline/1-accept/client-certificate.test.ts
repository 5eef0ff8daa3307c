import { expect, it } from 'vitest'
import type { Certificate, Certificates } from '../../ports/certificates.ts'
import { admitCertificate } from './client-certificate.ts'

const certificate = (sha256: string, more: Partial<Certificate> = {}): Certificate => ({
  ...{ sha256, notBefore: 100, notAfter: 200, isCa: false, maxIntermediates: 5, isIssuedBy: () => false },
  ...more,
})
const leaf = certificate('leaf', { isIssuedBy: ({ sha256 }) => sha256 === 'authority' })

async function admits(authority: Partial<Certificate>, now = 150, more: Partial<Certificate> = {}): Promise<boolean> {
  const certificates: Certificates = {
    read: () => ({ ...leaf, ...more }),
    find: () => ({ certificate: certificate('authority', { isCa: true, ...authority }), publicKey: undefined }),
  }
  const presented = { secure: true, clientCertificate: new Uint8Array(1) }
  return (await admitCertificate(presented, ['a'], certificates, now)) === undefined
}

it('an authority counts while it is valid, and if it may sign certificates of clients', async () => {
  expect(await admits({})).toBe(true)
  expect(await admits({ notBefore: 160 })).toBe(false)
  expect(await admits({ notAfter: 140 })).toBe(false)
  expect(await admits({ allowsClientAuth: false })).toBe(false)
  expect(await admits({}, 150, { allowsClientAuth: false })).toBe(false)
})
