/** PEM texts for tests. Unlike the codec of a gateway, it does not encrypt private keys and does not check that they fit. */
import { X509Certificate } from 'node:crypto'
import type { DistinguishedName, PemCodec, PemContents } from '@turnpike/core/ports'

export const fakePemCodec: PemCodec = { read, seal: ({ pem }) => pem, open: openStored }

function read(text: string): PemContents | { readonly problem: string } {
  const [block] = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(text) ?? []
  if (block === undefined) return { problem: 'Failed to decode certificate. It should be PEM encoded.' }
  const certificate = new X509Certificate(block)
  return {
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    details: {
      subject: nameOf(certificate.subject),
      issuer: nameOf(certificate.issuer),
      notBefore: Date.parse(certificate.validFrom),
      notAfter: Date.parse(certificate.validTo),
      dnsNames: [],
      isCa: certificate.ca,
    },
    hasPrivateKey: text.includes('PRIVATE KEY-----'),
    pem: text,
  }
}

function openStored(stored: string): PemContents | undefined {
  const contents = read(stored)
  return 'problem' in contents ? undefined : contents
}

/** Parses the notation of Node: a line `CN=example` for each attribute. */
function nameOf(text: string): DistinguishedName {
  return text.split('\n').map((line) => {
    const [type = '', value = ''] = line.split('=', 2)
    return { type, value }
  })
}
