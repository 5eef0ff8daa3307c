/** The management key on calls. Source: spec/sessions-and-limits.md, head; decisions.md "empty management secret". */
import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Whether the given key is the secret. Takes the same time whatever is given: digests of equal length are compared.
 * An empty secret is never met.
 */
export function isSecret(given: string | null, secret: string): boolean {
  const same = timingSafeEqual(digest(given ?? ''), digest(secret))
  return same && secret !== ''
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
