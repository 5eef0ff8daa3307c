/** Paths with empty or dot segments are answered with a redirect. Source: spec/apis-and-pipeline.md 4.10. */

/** A dot segment, also with escaped dots, which some servers take for the same thing. */
const dotSegment = /^(?:\.|%2e){1,2}$/i

/**
 * The path without empty and dot segments; `undefined` when it has none, which is found out by a glance.
 * A trailing slash stays; nothing leads above the root.
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
