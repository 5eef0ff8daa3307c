/** Stores parts of representations, and combines them (RFC 9111, 3.3 and 3.4). */
import { entityTagOf } from '../../http/entity-tag.ts'
import { type HeaderPairs, headerOf, removeHeader } from '../../http/headers.ts'
import type { StoredPart, StoredResponse } from '../../ports/stored-response.ts'
import { updatedHeaders } from './conditions.ts'
import { isStrong } from './ranges.ts'

const contentRange = /^bytes (\d{1,15})-(\d{1,15})\/(?:(\d{1,15})|\*)$/i

/**
 * Which part of the representation the body of a 206 response is. `undefined` if `Content-Range` does not describe it:
 * the body has several parts, or another length.
 */
export function partOf(headers: HeaderPairs, bodyLength: number): StoredPart | undefined {
  const [, from, to, of] = contentRange.exec(headerOf(headers, 'content-range')?.trim() ?? '') ?? []
  if (from === undefined) return undefined
  const [first, last, total] = [Number(from), Number(to), of === undefined ? undefined : Number(of)]
  if (last - first + 1 !== bodyLength || (total !== undefined && last >= total)) return undefined
  return { first, total }
}

/** A body that two responses of one representation form together. */
export interface Combined {
  readonly headers: HeaderPairs
  readonly body: Uint8Array
  /** `undefined`: the body is complete. */
  readonly part: StoredPart | undefined
}

/**
 * Combines a stored response with a new part. Both need the same strong entity tag, and their bytes must overlap or
 * touch. Headers and bytes of the new part take precedence.
 *
 * @param limit length of the longest body to make, in bytes
 * @returns `undefined` if the two cannot be combined
 */
export function combine(
  stored: StoredResponse | undefined,
  added: { readonly headers: HeaderPairs; readonly body: Uint8Array; readonly part: StoredPart },
  limit: number,
): Combined | undefined {
  if (stored?.body === undefined || !isStrong(stored.etag) || stored.etag !== entityTagOf(added.headers))
    return undefined
  if (stored.part === undefined && stored.status !== 200) return undefined
  const total = stored.part === undefined ? stored.body.length : stored.part.total
  if (total !== undefined && added.part.total !== undefined && total !== added.part.total) return undefined
  const at = stored.part?.first ?? 0
  const first = Math.min(at, added.part.first)
  const [end, addedEnd] = [at + stored.body.length, added.part.first + added.body.length]
  if (added.part.first > end || at > addedEnd || Math.max(end, addedEnd) - first > limit) return undefined
  const body = new Uint8Array(Math.max(end, addedEnd) - first)
  body.set(stored.body, at - first)
  body.set(added.body, added.part.first - first)
  const headers = updatedHeaders(stored.headers, added.headers)
  removeHeader(headers, 'content-range')
  const length = total ?? added.part.total
  return { headers, body, part: first === 0 && body.length === length ? undefined : { first, total: length } }
}
