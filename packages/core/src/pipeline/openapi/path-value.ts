/** Values of path parameters (docs/reference/openapi-validation.md#path-candidates). */
import { decodePercent } from '../../lib/text/percent.ts'

/**
 * Returns a function that reads the value of a parameter: the segment of a path that is at the place of the parameter
 * in the template, counted from the start. Text around the parameter in its segment does not belong to the value.
 */
export function pathValueReader(template: string, name: string): (path: string) => string | undefined {
  const segments = template.split('/')
  const index = segments.findIndex((segment) => segment.includes(`{${name}}`))
  const [before = '', after = ''] = (segments[index] ?? '').split(`{${name}}`)
  return (path) => {
    const given = index === -1 ? undefined : path.split('/')[index]
    if (given === undefined || given === '') return undefined
    const value = decodePercent(given)
    const isAround = value.length > before.length + after.length && value.startsWith(before) && value.endsWith(after)
    return isAround ? value.slice(before.length, value.length - after.length) : value
  }
}
