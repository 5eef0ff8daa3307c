/** Details of a certificate for the management API. */
import type { X509Certificate } from 'node:crypto'
import type { CertificateDetails, DistinguishedName } from '@turnpike/core/ports'

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

/** Node returns a repeated attribute as an array. */
function nameOf(attributes: unknown): DistinguishedName {
  return Object.entries((attributes ?? {}) as Record<string, string | string[]>).flatMap(([type, value]) =>
    [value].flat().map((one) => ({ type, value: one })),
  )
}

/** Parses `DNS:a, DNS:b, IP Address:c`. Node returns names with a comma or a quote as JSON strings. */
export function dnsNamesOf(subjectAltName: string): string[] {
  const names: string[] = []
  for (const [, kind, value = ''] of subjectAltName.matchAll(/(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,]*)/g)) {
    if (kind === 'DNS') names.push(value.startsWith('"') ? (JSON.parse(value) as string) : value)
  }
  return names
}
