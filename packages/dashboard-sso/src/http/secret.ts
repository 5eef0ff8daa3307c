/** The secret on admin calls, and the digests under which tokens and sessions are stored. */
import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Whether the given text is the secret. Takes the same time whatever is given, nothing included: digests of equal
 * length are compared. An empty secret is never met.
 */
export function isSecret(given: string | null, secret: string): boolean {
  const same = timingSafeEqual(digest(given ?? ''), digest(secret))
  return same && secret !== ''
}

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
