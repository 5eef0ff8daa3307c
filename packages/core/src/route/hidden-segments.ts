/**
 * Finds paths that mean one thing to the rules of the gateway and another to a server that decodes them: `%2f..` is text
 * within one segment here and a step to the parent there. Source: docs/reference/routing.md#path-cleaning.
 */
import { decodePercent } from '../lib/text/percent.ts'

const escapedSeparatorOrDot = /%(?:2[ef]|5c|3b)/i
const separator = /[/\\]/

/** A dot segment with parameters after a semicolon: servlet containers remove those and resolve the rest. */
const dotSegmentWithParameters = /(?:^|[/\\])\.{1,2};/

/**
 * Returns true if the decoded path has dot segments or backslashes that the path as sent does not show, or `..;`, which is
 * a name for some servers and a step to the parent for others. A backslash counts as a separator, because many servers
 * treat it as one. Escaped slashes that make empty segments are ordinary data, as in a URL that is a segment of the path.
 */
export function hidesSegments(path: string): boolean {
  if (path.includes(';') && dotSegmentWithParameters.test(path)) return true
  const hasEscapes = path.includes('%') && escapedSeparatorOrDot.test(path)
  const hasBackslash = path.includes('\\')
  if (!hasEscapes && !hasBackslash) return false
  // Browsers read `/\host` as another host.
  if (hasBackslash && emptySegments(path.split(separator)) > emptySegments(path.split('/'))) return true
  const decoded = hasEscapes ? decodePercent(path) : path
  if (decoded.split('\\').length > path.split('\\').length) return true
  return dotSegments(decoded.split(separator)) > dotSegments(path.split('/'))
}

/** Returns true if the decoded path has a segment `.` or `..`. A backslash counts as a separator. */
export function hasDotSegments(path: string): boolean {
  return decodePercent(path).split(separator).some(isDotSegment)
}

/** Some servers remove what follows a semicolon before they resolve dot segments. */
function isDotSegment(segment: string): boolean {
  const [name] = segment.split(';', 1)
  return name === '.' || name === '..'
}

/** Number of empty segments within the path. */
function emptySegments(segments: readonly string[]): number {
  return segments.slice(1, -1).filter((segment) => segment === '').length
}

function dotSegments(segments: readonly string[]): number {
  return segments.filter(isDotSegment).length
}
