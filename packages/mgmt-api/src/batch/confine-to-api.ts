/**
 * Converts the `relative_url` of an item to a path below its API. An item cannot leave its API, because the gateway
 * always appends the result to the listen path and dispatches it to that API only. Source: docs/differences.md; RFC 3986, section 5.2.4.
 */
import { hasBrokenEscape } from '@turnpike/core/lib'
import { cleanPath } from '@turnpike/core/route'
import { percentEncode } from './percent-encode.ts'

/** Path and query of an item, below the listen path. */
export interface ItemTarget {
  /** Without a leading slash and without dot segments. Empty for the root of the API. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\0-\x1f\x7f]/

/**
 * Parses a relative URL. Scheme and host count as text of the path. Dot segments, also `%2e`, are resolved and stop at
 * the root of the API. A fragment is removed. Escapes stay as written, including `%2F`; characters that are not allowed
 * in a URL, such as a backslash, are percent-encoded.
 * @param keepEmpty keeps doubled slashes inside the path
 * @returns `undefined` for a control character or an invalid escape in the path
 */
export function parseRelativeUrl(relativeUrl: string, keepEmpty: boolean): ItemTarget | undefined {
  if (control.test(relativeUrl)) return undefined
  const hash = relativeUrl.indexOf('#')
  const whole = hash === -1 ? relativeUrl : relativeUrl.slice(0, hash)
  const mark = whole.indexOf('?')
  const path = mark === -1 ? whole : whole.slice(0, mark)
  if (hasBrokenEscape(path)) return undefined
  return {
    path: percentEncode(keepEmpty ? withoutDots(path) : withoutEmptyAndDots(path), 'path'),
    query: mark === -1 ? '' : percentEncode(whole.slice(mark + 1), 'query'),
  }
}

function withoutEmptyAndDots(path: string): string {
  const rooted = `/${path}`
  return (cleanPath(rooted) ?? rooted).slice(1)
}

/** For `skip_url_cleaning`: removes only the segments that could leave the API. */
function withoutDots(path: string): string {
  const kept: string[] = []
  for (const segment of path.split('/')) {
    const plain = segment.replace(/%2e/gi, '.')
    if (plain === '..') kept.pop()
    else if (plain !== '.') kept.push(segment)
  }
  return kept.join('/').replace(/^\/+/, '')
}
