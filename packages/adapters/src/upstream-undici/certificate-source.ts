/** Where certificates and keys come from that definitions name. */
import { createHash, createPublicKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** The PEM text behind an id or file name; `undefined` when there is none. */
export type FindPem = (name: string) => Promise<string | undefined>

/** Looks in files only: an id that is no file is not found. */
export const pemFromFile: FindPem = (name) => readFile(name, 'utf8').catch(() => undefined)

const fingerprint = /^[0-9a-f]{64}$/

/**
 * The SHA-256 fingerprints (lower-case hexadecimal) that a pinned name stands for: itself, when it is one, and those
 * of the public key and the certificate that are stored under it. An id may have an organisation before a fingerprint.
 */
export async function pinnedFingerprints(name: string, findPem: FindPem): Promise<string[]> {
  const plain = name.toLowerCase().replaceAll(':', '')
  const pem = await findPem(name)
  if (pem === undefined) {
    const end = plain.slice(-64)
    return fingerprint.test(end) ? [end] : []
  }
  try {
    if (pem.includes('BEGIN CERTIFICATE')) return fingerprintsOf(new X509Certificate(pem))
    return [sha256(createPublicKey(pem).export({ type: 'spki', format: 'der' }))]
  } catch {
    return []
  }
}

/** What a certificate is known by: the hash of its key, and its own. */
export function fingerprintsOf(certificate: X509Certificate): string[] {
  return [sha256(certificate.publicKey.export({ type: 'spki', format: 'der' })), sha256(certificate.raw)]
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
