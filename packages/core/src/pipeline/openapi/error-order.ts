/**
 * The order in which the original gateway checks a value, so that the same failure is the first one: a schema as a
 * whole, then its members in the order of their names, then missing members
 * (docs/reference/openapi-validation.md#first-failure).
 */
import type { SchemaError } from '../../lib/json-schema/schema.ts'

const beforeMembers = [
  ...['not', 'oneOf', 'anyOf', 'allOf', 'enum', 'const', 'type'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'minimum', 'maximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format'],
  ...['minProperties', 'maxProperties', 'minItems', 'maxItems', 'uniqueItems'],
]
const ranks: ReadonlyMap<string, number> = new Map(beforeMembers.map((keyword, i) => [keyword, i]))
const memberRank = beforeMembers.length

/** Sorts failures. Failures of equal rank keep their order. */
export function inCheckOrder(errors: readonly SchemaError[]): readonly SchemaError[] {
  if (errors.length < 2) return errors
  return errors
    .map((error) => ({ error, place: placeOf(error), rank: rankOf(error) }))
    .sort(compare)
    .map(({ error }) => error)
}

interface Placed {
  readonly place: readonly string[]
  readonly rank: number
}

function compare(a: Placed, b: Placed): number {
  for (let i = 0; ; i++) {
    const [nameA, nameB] = [a.place[i], b.place[i]]
    if (nameA === undefined || nameB === undefined) {
      return (nameA === undefined ? a.rank : memberRank) - (nameB === undefined ? b.rank : memberRank)
    }
    if (nameA !== nameB) return compareNames(nameA, nameB)
  }
}

/** Names and indexes from the value to its invalid part. An unknown member is a part itself. */
function placeOf({ instancePath, keyword, params }: SchemaError): string[] {
  const place = instancePath.split('/').slice(1)
  if (keyword === 'additionalProperties') place.push(String(params['additionalProperty']))
  return place
}

function rankOf({ keyword }: SchemaError): number {
  return keyword === 'required' ? memberRank + 1 : (ranks.get(keyword) ?? 0)
}

function compareNames(a: string, b: string): number {
  const areIndexes = /^\d+$/.test(a) && /^\d+$/.test(b)
  if (areIndexes) return Number(a) - Number(b)
  return a < b ? -1 : 1
}
