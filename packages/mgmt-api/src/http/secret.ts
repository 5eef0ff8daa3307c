/** The management key on calls. Source: spec/sessions-and-limits.md, head; decisions.md "empty management secret". */
import { createHash, timingSafeEqual } from 'node:crypto'
import { vendorForms } from '@turnpike/core'

/** Header that carries the management key, in lower case. */
export function keyHeaderOf(vendor: string): string {
  return `x-${vendorForms(vendor).lower}-authorization`
}

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
