/**
 * What a store keeps of an answer so that it can be given again. Everything a hit needs is prepared here when the
 * answer is stored; nothing in it is ever changed.
 */
import type { HeaderPairs } from '../http/headers.ts'
import type { OriginFacts } from './origin-facts.ts'

export interface StoredResponse {
  readonly status: number
  /** End-to-end headers, names in lower case; without length, rate headers and the cache's own marker. */
  readonly headers: Readonly<HeaderPairs>
  /** Packed as `content-encoding` says. Shared by all who are given it: nobody may write into it. */
  readonly body: Uint8Array | undefined
  /** Length that an answer to HEAD told of the body it does not have. */
  readonly bodyLength: number | undefined
  /** The entity tag among the headers, found once. */
  readonly etag: string | undefined
  /** What freshness is worked out from; only with `cache_mode: "rfc9111"`. */
  readonly origin?: OriginFacts
  /** Another answer to the same request, for other values of the headers that `Vary` names. */
  readonly next?: StoredResponse | undefined
}

/** Memory of what is not text or body: objects, lists, places in tables. */
const overheadBytes = 512

/** About how many bytes of memory a response takes, its variants included. */
export function sizeOf(response: StoredResponse): number {
  let bytes = 0
  for (let each: StoredResponse | undefined = response; each !== undefined; each = each.next) {
    bytes += overheadBytes + (each.body?.length ?? 0)
    for (const text of each.headers) bytes += text.length
  }
  return bytes
}
