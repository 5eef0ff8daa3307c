import { isJson, type Json, memberOf } from '../lib/json.ts'
import { readShape } from '../lib/shape/shape.ts'
import type { Unsupported } from './api-definition.ts'
import { type ClassicDefinition, classicShape } from './classic.ts'
import type { ServingProblem } from './definition-problem.ts'
import { unknownFields } from './support-status/support.ts'

/** Reads a classic document from a JSON value. Unknown fields are ignored and listed; a wrong type is a problem. */
export function readClassic(
  value: unknown,
): { value: ClassicDefinition; unknown: readonly Unsupported[]; problem: undefined } | { problem: ServingProblem } {
  if (!isJson(value)) return { problem: { path: [], message: 'must be an object' } }
  const read = readShape(classicShape, withPlainId(value))
  const wrong = read.readable ? undefined : read.problems.find((problem) => problem.kind === 'type')
  if (wrong !== undefined) return { problem: wrong }
  return { value: read.value, unknown: unknownFields(read.problems), problem: undefined }
}

/** Exports of databases name the id `_id`, and write it as `{"$oid": "…"}`. */
export function withPlainId(value: Json): Json {
  const given = value['id'] ?? value['_id']
  const digits = memberOf(given, '$oid')
  if (digits === undefined && !('_id' in value)) return value
  const { _id: _, ...rest } = value
  return { ...rest, id: digits ?? given }
}
