/** What a certificate says of itself, as the management API tells it. */
import type { X509Certificate } from 'node:crypto'
import type { CertificateDetails, DistinguishedName } from '@turnpike/core'

export function detailsOf(x509: X509Certificate): CertificateDetails {
  const { subject, issuer } = x509.toLegacyObject()
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    notBefore: Date.parse(x509.validFrom),
    notAfter: Date.parse(x509.validTo),
    dnsNames: dnsNamesOf(x509.subjectAltName ?? ''),
    isCa: x509.ca,
  }
}

/** An attribute that is there several times comes as a list. */
function nameOf(attributes: unknown): DistinguishedName {
  return Object.entries((attributes ?? {}) as Record<string, string | string[]>).flatMap(([type, value]) =>
    [value].flat().map((one) => ({ type, value: one })),
  )
}

/** `DNS:a, DNS:b, IP Address:c`; names with a comma or a quote in them come as JSON texts. */
export function dnsNamesOf(subjectAltName: string): string[] {
  const names: string[] = []
  for (const [, kind, value = ''] of subjectAltName.matchAll(/(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,]*)/g)) {
    if (kind === 'DNS') names.push(value.startsWith('"') ? (JSON.parse(value) as string) : value)
  }
  return names
}
