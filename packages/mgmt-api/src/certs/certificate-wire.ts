/** Certificates in responses of the management API. Source: docs/reference/certificates.md#certificate-endpoints. */
import { fingerprintOfCertificate, type StoredCertificate } from '@turnpike/core/auth'
import { formatRfc3339, type JsonSchema } from '@turnpike/core/lib'
import type { CertificateDetails, DistinguishedName } from '@turnpike/core/ports'

/** Attributes of a subject or issuer in output order, with their short names. */
const listedAttributes = [
  ['Country', 'C'],
  ['Organization', 'O'],
  ['OrganizationalUnit', 'OU'],
  ['Locality', 'L'],
  ['Province', 'ST'],
  ['StreetAddress', 'street'],
  ['PostalCode', 'postalCode'],
] as const
const singleAttributes = [
  ['SerialNumber', 'serialNumber'],
  ['CommonName', 'CN'],
] as const

const text: JsonSchema = { type: 'string' }
const texts: JsonSchema = { type: ['array', 'null'], items: text }
const time: JsonSchema = { type: 'string', description: 'RFC 3339' }

const nameSchema: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries([
    ...listedAttributes.map(([name]) => [name, texts] as const),
    ...singleAttributes.map(([name]) => [name, text] as const),
  ]),
}

export const certificateSchema: JsonSchema = {
  type: 'object',
  required: ['id', 'fingerprint', 'has_private', 'issuer', 'subject', 'not_before', 'not_after', 'is_ca'],
  properties: {
    id: text,
    fingerprint: { type: 'string', description: 'SHA-256, hex' },
    has_private: { type: 'boolean' },
    issuer: nameSchema,
    subject: nameSchema,
    not_before: time,
    not_after: time,
    dns_names: { type: 'array', items: text },
    is_ca: { type: 'boolean' },
  },
}

export const certificateBasicsSchema: JsonSchema = {
  type: 'object',
  required: ['id', 'issuer_cn', 'subject_cn', 'has_private', 'not_before', 'not_after', 'is_ca'],
  properties: {
    id: text,
    issuer_cn: text,
    subject_cn: text,
    dns_names: { type: 'array', items: text },
    has_private: { type: 'boolean' },
    not_before: time,
    not_after: time,
    is_ca: { type: 'boolean' },
  },
}

/** The full description of one certificate. */
export function toWireCertificate(certificate: StoredCertificate): object {
  const { id, hasPrivateKey } = certificate
  const details = detailsOf(certificate)
  return {
    id,
    fingerprint: fingerprintOfCertificate(id),
    has_private: hasPrivateKey,
    issuer: toWireName(details.issuer),
    subject: toWireName(details.subject),
    ...toWireRest(details),
  }
}

/** The description of a certificate in a list. */
export function toWireBasics(certificate: StoredCertificate): object {
  const details = detailsOf(certificate)
  return {
    id: certificate.id,
    issuer_cn: firstOf(details.issuer, 'CN'),
    subject_cn: firstOf(details.subject, 'CN'),
    ...toWireRest(details),
    has_private: certificate.hasPrivateKey,
  }
}

function toWireRest({ notBefore, notAfter, dnsNames, isCa }: CertificateDetails): object {
  return {
    not_before: toWireTime(notBefore),
    not_after: toWireTime(notAfter),
    ...(dnsNames.length === 0 ? {} : { dns_names: dnsNames }),
    is_ca: isCa,
  }
}

/** Times of certificates have a resolution of one second. */
function toWireTime(at: number): string {
  return formatRfc3339(at).replace('.000Z', 'Z')
}

function toWireName(name: DistinguishedName): object {
  const all = (type: string) => name.filter((one) => one.type === type).map(({ value }) => value)
  return Object.fromEntries([
    ...listedAttributes.map(([wire, type]) => [wire, all(type).length === 0 ? null : all(type)]),
    ...singleAttributes.map(([wire, type]) => [wire, firstOf(name, type)]),
  ])
}

function firstOf(name: DistinguishedName, type: string): string {
  return name.find((one) => one.type === type)?.value ?? ''
}

/** The year 1 means "no time". */
const noTime = -62_135_596_800_000

/** A public key has no subject and no times; its fingerprint is its name. */
function detailsOf({ details, sha256 }: StoredCertificate): CertificateDetails {
  if (details !== undefined) return details
  const subject = [{ type: 'CN', value: `Public Key: ${sha256}` }]
  return { subject, issuer: [], notBefore: noTime, notAfter: noTime, dnsNames: [], isCa: false }
}
