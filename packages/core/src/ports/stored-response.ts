/**
 * A response in the cache. Everything that a cache hit needs is prepared when the response is stored. Immutable.
 */
import type { HeaderPairs } from '../http/headers.ts'
import type { OriginFacts } from './origin-facts.ts'

export interface StoredResponse {
  readonly status: number
  /** End-to-end headers, names in lower case; without length, rate headers and the cache's own marker. */
  readonly headers: Readonly<HeaderPairs>
  /** Encoded as `content-encoding` says. Shared by all readers; never write to it. */
  readonly body: Uint8Array | undefined
  /** Set if `body` is only a part of the representation: a 206 response, stored without Content-Range. */
  readonly part?: StoredPart | undefined
  /** Content-Length of a response to HEAD, which has no body. */
  readonly bodyLength: number | undefined
  /** The value of the ETag header. */
  readonly etag: string | undefined
  /** Input of the freshness calculation; only with `cache_mode: "rfc9111"`. */
  readonly origin?: OriginFacts
  /** Another variant of the response, for other values of the headers that `Vary` names. */
  readonly next?: StoredResponse | undefined
}

/** Position of a part (RFC 9110 section 14.4). Its last byte follows from the length of the body. */
export interface StoredPart {
  /** Position of the first byte. */
  readonly first: number
  /** Length of the whole representation in bytes; `undefined`: unknown. */
  readonly total: number | undefined
}

/** Estimated memory of the objects and map entries of a response. */
const overheadBytes = 512

/** Estimated memory of a response and its variants, in bytes. */
export function sizeOf(response: StoredResponse): number {
  let bytes = 0
  for (let each: StoredResponse | undefined = response; each !== undefined; each = each.next) {
    bytes += overheadBytes + (each.body?.length ?? 0)
    for (const text of each.headers) bytes += text.length
  }
  return bytes
}
