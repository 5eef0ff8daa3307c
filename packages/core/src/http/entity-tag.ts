/** Entity tags and `If-None-Match` (RFC 9110, 8.8.3 and 13.1.2). */
import { type HeaderPairs, headerOf } from './headers.ts'

/** The entity tag of a response; `undefined` if it has none. */
export function entityTagOf(headers: HeaderPairs): string | undefined {
  const tag = headerOf(headers, 'etag')?.trim()
  return tag === '' ? undefined : tag
}

/**
 * Whether `If-None-Match` contains the tag by weak comparison: `W/"a"` equals `"a"`. A text search suffices, because a
 * well-formed tag includes its quotes and so never matches a part of another one.
 */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.includes(tag.startsWith('W/') ? tag.slice(2) : tag)
}
