/** The gateway redirects paths with empty or dot segments. Source: docs/reference/routing.md#path-cleaning. */

/** A dot segment, also with escaped dots, which some servers treat as dots. */
const dotSegment = /^(?:\.|%2e){1,2}$/i

/**
 * The path without empty and dot segments; `undefined` if it has none. A trailing slash stays, and `..` never leads
 * above the root.
 */
export function cleanPath(path: string): string | undefined {
  if (!path.includes('//') && !path.includes('/.') && !path.includes('/%2')) return undefined
  const segments = path.split('/')
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '') continue
    if (!dotSegment.test(segment)) kept.push(segment)
    else if (segment.replace(/%2e/gi, '.') === '..') kept.pop()
  }
  const trailing = path.endsWith('/') && kept.length > 0 ? '/' : ''
  const cleaned = `/${kept.join('/')}${trailing}`
  return cleaned === path ? undefined : cleaned
}
