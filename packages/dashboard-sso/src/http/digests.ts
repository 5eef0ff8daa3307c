/** Digests under which tokens and sessions are stored. */
import { createHash } from 'node:crypto'

/** SHA-256 in hex. */
export function sha256Hex(text: string): string {
  return digest(text).toString('hex')
}

/** SHA-256 in base64url. */
export function sha256Base64Url(text: string): string {
  return digest(text).toString('base64url')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
