/**
 * What a key may do on a GraphQL API: fields of its access right, compiled once for all keys with equal rights. The
 * fields are free JSON in sessions. A value of the wrong type closes instead of opening.
 */

import { isJson, memberOf, numberOf, textOf } from '../../lib/json.ts'
import type { AccessRight } from '../../ports/session.ts'
import type { GraphqlRights, TypeFields } from './check-graphql-rights.ts'

type GraphqlFields = Pick<
  AccessRight,
  'allowedTypes' | 'restrictedTypes' | 'fieldAccessRights' | 'disableIntrospection'
>

/** Returns `undefined` if the key has no limits on queries. `maxDepth`: of the limits that apply to the API. */
export function makeGraphqlRights(right: GraphqlFields, maxDepth: number): GraphqlRights | undefined {
  const { allowedTypes, restrictedTypes, fieldAccessRights, disableIntrospection } = right
  const restricted = isEmpty(restrictedTypes) ? noTypes : typeLists(restrictedTypes)
  const access: GraphqlRights = {
    maxDepth,
    fieldDepths: isEmpty(fieldAccessRights) ? new Map() : fieldDepthsOf(fieldAccessRights),
    // A list of restrictions that cannot be read allows nothing.
    allowed: isEmpty(allowedTypes)
      ? restricted === undefined
        ? noTypes
        : undefined
      : (typeLists(allowedTypes) ?? noTypes),
    restricted: restricted ?? noTypes,
    mayIntrospect: !disableIntrospection,
  }
  const hasLists = access.allowed !== undefined || access.restricted.size > 0 || access.fieldDepths.size > 0
  return maxDepth > 0 || hasLists || disableIntrospection ? access : undefined
}

const noTypes: TypeFields = new Map()

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

/** Returns `undefined` if the value is not a list of `{name, fields}`. */
function typeLists(value: unknown): TypeFields | undefined {
  if (!Array.isArray(value)) return undefined
  const lists = new Map<string, Set<string>>()
  for (const entry of value) {
    const name = memberOf(entry, 'name')
    const fields = memberOf(entry, 'fields') ?? []
    if (typeof name !== 'string' || !Array.isArray(fields)) return undefined
    if (!fields.every((field) => typeof field === 'string')) return undefined
    const list = lists.get(name) ?? new Set()
    for (const field of fields) list.add(field)
    lists.set(name, list)
  }
  return lists
}

/** Depths by `Type.field`. A depth that is not a number counts as 0. */
function fieldDepthsOf(value: unknown): ReadonlyMap<string, number> {
  const depths = new Map<string, number>()
  for (const entry of Array.isArray(value) ? value : []) {
    if (!isJson(entry)) continue
    const name = `${textOf(entry.type_name)}.${textOf(entry.field_name)}`
    depths.set(name, numberOf(memberOf(entry, 'limits', 'max_query_depth')))
  }
  // Without a readable entry the list still closes every root field that the depth of the key does not open.
  if (depths.size === 0) depths.set('', 0)
  return depths
}
