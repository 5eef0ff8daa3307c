/** Range requests for one range of bytes (RFC 9110, 14). Requests for several ranges bypass the cache. */
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'

/** From `first` to `last` or to the end; or the last `suffix` bytes. */
export type ByteRange =
  | { readonly first: number; readonly last: number | undefined; readonly suffix?: undefined }
  | { readonly suffix: number }

/** Positions of the first and the last byte. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** Parses `Range`; `undefined` if it does not request exactly one valid range of bytes. */
export function parseRange(text: string): ByteRange | undefined {
  const [, first, last = '', suffix] = /^\s*bytes=\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/i.exec(text) ?? []
  if (suffix !== undefined) return { suffix: Number(suffix) }
  if (first === undefined) return undefined
  const range = { first: Number(first), last: last === '' ? undefined : Number(last) }
  return range.last !== undefined && range.last < range.first ? undefined : range
}

/** Which bytes a range selects of a representation of `total` bytes; `undefined`: none of them. */
export function spanOf(range: ByteRange, total: number): Span | undefined {
  if (range.suffix !== undefined) {
    return range.suffix === 0 || total === 0 ? undefined : { first: Math.max(0, total - range.suffix), last: total - 1 }
  }
  return range.first >= total ? undefined : { first: range.first, last: Math.min(range.last ?? total - 1, total - 1) }
}

/**
 * The range that a request for the stored response selects; `undefined`: the whole response. `If-Range` with a tag that
 * is not the stored one, by strong comparison, requests the whole (RFC 9110, 13.1.5).
 */
export function requestedRange(request: HeaderPairs, { etag }: Pick<StoredResponse, 'etag'>): ByteRange | undefined {
  const range = headerOf(request, 'range')
  if (range === undefined) return undefined
  const condition = headerOf(request, 'if-range')?.trim()
  return condition === undefined || (condition === etag && isStrong(condition)) ? parseRange(range) : undefined
}

export function isStrong(etag: string | undefined): etag is string {
  return etag?.startsWith('"') === true
}

/** Whether the cache can serve the range, or the whole if it is `undefined`, from the stored response. */
export function contains({ part, body }: StoredResponse, range: ByteRange | undefined): boolean {
  if (part === undefined) return true
  if (range === undefined) return false
  const end = part.first + (body?.length ?? 0)
  if (part.total !== undefined) {
    const span = spanOf(range, part.total)
    return span !== undefined && span.first >= part.first && span.last < end
  }
  return range.suffix === undefined && range.last !== undefined && range.first >= part.first && range.last < end
}
