/** The finding of `turnpike check` about references to other documents, which the gateway does not read. */
import { isJson, type Json } from '../../lib/json.ts'
import type { Report } from '../findings/finding.ts'

interface Place {
  readonly name: string | number
  readonly above: Place | undefined
}

/** Members that contain data, in which `$ref` is an ordinary name. */
const dataMembers: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'value'])
/** Maps whose names are chosen by the author, so that they can be those of data members. */
const maps: ReadonlySet<unknown> = new Set(['properties', 'patternProperties', 'schemas', 'examples', 'parameters'])

/**
 * Reports each reference once, at its first place. Without recursion, because the document can be nested deep.
 * `known`: references that are reported already.
 */
export function lintReferences(document: Json, known: ReadonlySet<string>, report: Report): void {
  const reported = new Set(known)
  const open: [value: unknown, place: Place | undefined][] = [[document, undefined]]
  for (let i = 0; i < open.length; i++) {
    const [value, place] = open[i] ?? []
    const reference = isJson(value) ? value['$ref'] : undefined
    if (typeof reference === 'string' && !reference.startsWith('#') && !reported.has(reference)) {
      reported.add(reference)
      report('external-reference', pathOf({ name: '$ref', above: place }), { reference })
    }
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'object' || member === null) continue
      const isData = !isList && !maps.has(place?.name) && (dataMembers.has(name) || name.startsWith('x-'))
      if (!isData) open.push([member, { name: isList ? Number(name) : name, above: place }])
    }
  }
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = []
  for (let at: Place | undefined = place; at !== undefined; at = at.above) path.unshift(at.name)
  return path
}
