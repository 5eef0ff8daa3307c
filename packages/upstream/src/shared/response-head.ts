/** What every HTTP client reads from the head of a response. */
import type { HeaderPairs } from '@turnpike/core/http'

/** A parsed head. */
export interface ResponseHead {
  readonly status: number
  readonly headers: HeaderPairs
  /** The value of Content-Length. */
  readonly length: number | undefined
  /** Trailers can follow the body. */
  readonly chunked: boolean
  readonly gzipped: boolean
}

/** Returns true for the content coding gzip. */
export function isGzip(coding: string): boolean {
  const lower = coding.toLowerCase()
  return lower === 'gzip' || lower === 'x-gzip'
}
