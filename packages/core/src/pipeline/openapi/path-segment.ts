/** Parameters in the segments of a path: `/pets/{id}`, `/files/{name}.{ext}` (OpenAPI 3.0.4, 4.7.9). */
import { decodePercent } from '../../lib/text/percent.ts'

/** Reads the values of a segment; `undefined`: the segment does not fit. */
export type ReadSegment = (segment: string) => readonly string[] | undefined

/**
 * Compiles a segment of a template. A parameter has at least one character. Of several parameters the first ones are as
 * long as possible: `report.v2.pdf` is `{name}` = `report.v2` and `{ext}` = `pdf`.
 */
export function compileSegment(template: string): ReadSegment {
  const [before = '', ...literals] = template.split(/\{[^{}]*\}/)
  if (literals.length === 0) return (segment) => (segment === template ? [] : undefined)
  return (segment) => {
    if (!segment.startsWith(before)) return undefined
    const values: string[] = []
    let end = segment.length
    for (let i = literals.length - 1; i >= 0; i--) {
      const literal = literals[i] as string
      // The last literal ends the segment; each parameter before this literal needs a character.
      const highest = i === literals.length - 1 ? end - literal.length : end - literal.length - 1
      const at = highest < 0 ? -1 : segment.lastIndexOf(literal, highest)
      const isAtEnd = i < literals.length - 1 || at === highest
      if (!isAtEnd || at < before.length + i + 1) return undefined
      if (i < literals.length - 1) values.unshift(segment.slice(at + literal.length, end))
      end = at
    }
    values.unshift(segment.slice(before.length, end))
    return values
  }
}

/**
 * Returns a function that reads the value of a parameter: the part of a path that is at the place of the parameter in the
 * template, counted from the start. Text around the parameter in its segment does not belong to the value. If the text
 * around a single parameter is different, the value is the whole segment.
 */
export function pathValueReader(template: string, name: string): (path: string) => string | undefined {
  const segments = template.split('/')
  const index = segments.findIndex((segment) => segment.includes(`{${name}}`))
  const segment = segments[index] ?? ''
  const names = [...segment.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1])
  const [read, place] = [compileSegment(segment), names.indexOf(name)]
  return (path) => {
    const given = index === -1 ? undefined : path.split('/')[index]
    if (given === undefined || given === '') return undefined
    const value = decodePercent(given)
    const values = read(value)
    if (values === undefined) return names.length === 1 ? value : undefined
    return values[place]
  }
}
