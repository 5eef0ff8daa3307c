/** Names of stored certificates, shared with existing nodes. Source: docs/reference/redis-records.md#stored-certificates. */

/** Hex digits of a SHA-256. */
const fingerprintLength = 64

const idPattern = /^[^/\\.]*[0-9a-f]{64}$/

/** Whether a text names a stored certificate (organisation and fingerprint); else it is a file's path. */
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

/** Record of one certificate. */
export function certificateRecord(id: string): string {
  return recordPrefix + rawPrefix + id
}

/** The id behind a record's name. */
export function idOfRecord(name: string): string {
  return name.slice(recordPrefix.length + rawPrefix.length)
}

/** List of an organisation's certificates. */
export function certificateIndex(orgId: string): string {
  return `${recordPrefix}${orgId}-index`
}

/** Record that says that the list is complete, though it may be empty. */
export function certificateIndexMark(orgId: string): string {
  return `${certificateIndex(orgId)}-migrated`
}

export function indexMember(id: string): string {
  return rawPrefix + id
}

export function idOfMember(member: string): string {
  return member.startsWith(rawPrefix) ? member.slice(rawPrefix.length) : member
}

/** Record that keeps nodes from saying or doing a thing about a certificate again for a while. */
export function certificateCooldown(matter: string): string {
  return `${recordPrefix}cooldown:${matter}`
}
