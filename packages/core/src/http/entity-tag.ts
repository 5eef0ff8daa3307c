/** Entity tags and `If-None-Match` (RFC 9110, 8.8.3 and 13.1.2). */
import { type HeaderPairs, headerOf } from './headers.ts'

/** The entity tag of an answer; `undefined` when it has none. */
export function entityTagOf(headers: HeaderPairs): string | undefined {
  const tag = headerOf(headers, 'etag')?.trim()
  return tag === '' ? undefined : tag
}

/**
 * Whether `If-None-Match` holds the tag, compared weakly: `W/"a"` and `"a"` are one. It is searched as text, as
 * recorded; a well-formed tag brings its quotes, so that one never matches a part of another.
 */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.includes(tag.startsWith('W/') ? tag.slice(2) : tag)
}
