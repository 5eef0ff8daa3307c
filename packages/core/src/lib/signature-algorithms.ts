/** Algorithms of HTTP signatures, of clients (docs/reference/authentication.md#hmac-signatures) and for upstreams. */
import type { MacHash } from './mac.ts'

export const macHashByAlgorithm: ReadonlyMap<string, MacHash> = new Map([
  ['hmac-sha1', 'sha1'],
  ['hmac-sha256', 'sha256'],
  ['hmac-sha384', 'sha384'],
  ['hmac-sha512', 'sha512'],
])

export const rsaAlgorithm = 'rsa-sha256'
