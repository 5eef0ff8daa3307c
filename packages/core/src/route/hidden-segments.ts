/**
 * Finds paths that mean one thing to the rules of the gateway and another to a server that decodes them: `%2f..` is text
 * within one segment here and a step to the parent there. Source: docs/reference/routing.md#path-cleaning.
 */
import { decodePercent } from '../lib/text/percent.ts'

const escapedSeparatorOrDot = /%(?:2[ef]|5c)/i
const separator = /[/\\]/

/**
 * Returns true if the decoded path has dot segments, empty segments or backslashes that the path as sent does not show.
 * A backslash counts as a separator, because many servers treat it as one.
 */
export function hidesSegments(path: string): boolean {
  const hasEscapes = path.includes('%') && escapedSeparatorOrDot.test(path)
  if (!hasEscapes && !path.includes('\\')) return false
  const decoded = hasEscapes ? decodePercent(path) : path
  if (decoded.includes('\\') && !path.includes('\\')) return true
  return special(decoded.split(separator)) > special(path.split('/'))
}

/** Returns true if the decoded path has a segment `.` or `..`. A backslash counts as a separator. */
export function hasDotSegments(path: string): boolean {
  return decodePercent(path)
    .split(separator)
    .some((segment) => segment === '.' || segment === '..')
}

/** Number of dot segments and of empty segments within the path. */
function special(segments: readonly string[]): number {
  let count = 0
  for (let i = 1; i < segments.length; i++) {
    const segment = segments[i]
    if (segment === '.' || segment === '..' || (segment === '' && i < segments.length - 1)) count++
  }
  return count
}
