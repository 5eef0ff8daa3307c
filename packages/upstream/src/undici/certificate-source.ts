/** Finds the certificates and keys that definitions name. */
import { createPublicKey, hash, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { UpstreamOptions } from '@turnpike/core/ports'

/** Returns the PEM text of an id or file name, or `undefined` if it does not exist. */
export type FindPem = (name: string) => Promise<string | undefined>

/** Reads PEM files; ids are not supported. */
export const pemFromFile: FindPem = (name) => readFile(name, 'utf8').catch(() => undefined)

/** Returns true if connections use the certificate or key of this name, or any if no name is given. */
export function usesKey({ tls }: UpstreamOptions, name: string | undefined): boolean {
  const { certificate, pinnedKeys = [] } = tls ?? {}
  if (name === undefined) return certificate !== undefined || pinnedKeys.length > 0
  return certificate === name || pinnedKeys.includes(name)
}

const fingerprint = /^[0-9a-f]{64}$/

/**
 * Returns the SHA-256 fingerprints (lower-case hexadecimal) of a pinned name: those of the stored certificate and its
 * public key, or else the name itself if it is a fingerprint. An id may have an organisation before the fingerprint.
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
    return [hash('sha256', createPublicKey(pem).export({ type: 'spki', format: 'der' }))]
  } catch {
    return []
  }
}

/** Returns the fingerprints of the certificate's public key and of the certificate. */
export function fingerprintsOf(certificate: X509Certificate): string[] {
  const publicKey = certificate.publicKey.export({ type: 'spki', format: 'der' })
  return [hash('sha256', publicKey), hash('sha256', certificate.raw)]
}
