/** Names of stored certificates, shared with existing nodes. Source: docs/reference/redis-records.md#stored-certificates. */

/** Hex digits of a SHA-256. */
const fingerprintLength = 64

const idPattern = /^[^/\\.]*[0-9a-f]{64}$/

/** Whether a text is the id of a stored certificate (organisation and fingerprint) and not a file path. */
export function isCertificateId(text: string): boolean {
  return idPattern.test(text)
}

/** The id without its fingerprint. */
export function orgOfCertificate(id: string): string {
  return id.slice(0, Math.max(0, id.length - fingerprintLength))
}

export function fingerprintOfCertificate(id: string): string {
  return id.slice(-fingerprintLength)
}

const recordPrefix = 'cert-'
const rawPrefix = 'raw-'

/** Name of a certificate's record. */
export function certificateRecord(id: string): string {
  return recordPrefix + rawPrefix + id
}

/** The certificate id in a record's name. */
export function idOfRecord(name: string): string {
  return name.slice(recordPrefix.length + rawPrefix.length)
}

/** Name of an organisation's list of certificates. */
export function certificateIndex(orgId: string): string {
  return `${recordPrefix}${orgId}-index`
}

/** Record that exists once the list is complete, because an empty list cannot be stored. */
export function certificateIndexMark(orgId: string): string {
  return `${certificateIndex(orgId)}-migrated`
}

export function indexMember(id: string): string {
  return rawPrefix + id
}

export function idOfMember(member: string): string {
  return member.startsWith(rawPrefix) ? member.slice(rawPrefix.length) : member
}

/** Name of a record that blocks repeated checks or events of a certificate until it expires. */
export function certificateCooldown(matter: string): string {
  return `${recordPrefix}cooldown:${matter}`
}
