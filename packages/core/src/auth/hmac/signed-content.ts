/**
 * What the signature of a request must cover if `hmac_require_signed_content` is on: method, path and query, the date,
 * and a digest of the body (RFC 3230). Source: docs/reference/authentication.md#signed-content.
 */
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import { sameBytes } from '../../lib/constant-time.ts'
import { decodeBase64 } from '../../lib/text/base64.ts'
import { auxDateHeader } from './signing-string.ts'

const digests: Readonly<Record<string, (data: Uint8Array) => Uint8Array>> = { 'sha-256': sha256, 'sha-512': sha512 }

/** Returns what is missing in the list of signed names; `undefined` if nothing is. */
export function unsignedPart(names: readonly string[], headers: HeaderPairs): string | undefined {
  if (!names.includes('(request-target)')) return '(request-target) is not signed'
  const signsAuxDate = names.includes(auxDateHeader) && (headerOf(headers, auxDateHeader) ?? '') !== ''
  return names.includes('date') || signsAuxDate ? undefined : 'the date is not signed'
}

/** Returns why the body is not covered; `undefined` if it is. A request without a body needs no digest. */
export function unsignedBody(names: readonly string[], headers: HeaderPairs, body: Uint8Array): string | undefined {
  if (!names.includes('digest')) return body.length === 0 ? undefined : 'the digest of the body is not signed'
  return matchesDigest(headerOf(headers, 'digest') ?? '', body) ? undefined : 'the digest differs from the body'
}

/** Every digest with a known algorithm must match, and there must be one. */
function matchesDigest(header: string, body: Uint8Array): boolean {
  const known = header.split(',').flatMap((entry) => {
    const [, name = '', value = ''] = /^\s*([^=\s]+)=(\S+)\s*$/.exec(entry) ?? []
    const digest = Object.hasOwn(digests, name.toLowerCase()) ? digests[name.toLowerCase()] : undefined
    return digest === undefined ? [] : [{ digest, value: decodeBase64(value) }]
  })
  return (
    known.length > 0 &&
    // A header with many digests costs no more hashing than one with one of each kind.
    known.length <= Object.keys(digests).length &&
    known.every(({ digest, value }) => value !== undefined && sameBytes(value, digest(body)))
  )
}
