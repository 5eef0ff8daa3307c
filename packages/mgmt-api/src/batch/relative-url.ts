/**
 * Where an item asks: a path below the API, whatever was written. Nothing leads out of the API, since what comes out
 * of here is always put behind the listen path and handed to that API alone. Source: docs/differences.md; RFC 3986, 5.2.4.
 */
import { cleanPath } from '@turnpike/core'
import { percentEncode } from './percent-encode.ts'

/** What an item asks for, behind the listen path. */
export interface ItemTarget {
  /** Without a leading slash; no dot segments. Empty: the root of the API. */
  readonly path: string
  /** Without question mark. */
  readonly query: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\0-\x1f\x7f]/
const brokenEscape = /%(?![0-9a-fA-F]{2})/

/**
 * Reads a relative URL. Scheme, host and doubled slashes are taken for text of the path, dot segments (also `%2e`) are
 * resolved and end at the root of the API, a fragment is cut off. Escapes stay as written, `%2F` too; what may not
 * stand in a URL, a backslash for one, is percent-encoded. `keepEmpty`: doubled slashes inside stay.
 * `undefined`: a control character, or an escape that is none in the path; such a URL is no URL.
 */
export function parseRelativeUrl(relativeUrl: string, keepEmpty: boolean): ItemTarget | undefined {
  if (control.test(relativeUrl)) return undefined
  const hash = relativeUrl.indexOf('#')
  const whole = hash === -1 ? relativeUrl : relativeUrl.slice(0, hash)
  const mark = whole.indexOf('?')
  const path = mark === -1 ? whole : whole.slice(0, mark)
  if (brokenEscape.test(path)) return undefined
  return {
    path: percentEncode(keepEmpty ? withoutDots(path) : withoutEmptyAndDots(path), 'path'),
    query: mark === -1 ? '' : percentEncode(whole.slice(mark + 1), 'query'),
  }
}

function withoutEmptyAndDots(path: string): string {
  const rooted = `/${path}`
  return (cleanPath(rooted) ?? rooted).slice(1)
}

/** For gateways that leave paths as they are (`skip_url_cleaning`): only what could lead out goes. */
function withoutDots(path: string): string {
  const kept: string[] = []
  for (const segment of path.split('/')) {
    const plain = segment.replace(/%2e/gi, '.')
    if (plain === '..') kept.pop()
    else if (plain !== '.') kept.push(segment)
  }
  return kept.join('/').replace(/^\/+/, '')
}
