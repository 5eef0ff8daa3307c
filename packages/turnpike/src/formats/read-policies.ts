/** Policies in the forms of exports: one, a list, a map by id, a page of a dashboard, or such in a wrapper. */
import { isPolicyLike } from '@turnpike/core/definition'
import { isJson, type Json, listOf, memberOf, objectOf, textOf } from '@turnpike/core/lib'
import { plainObject } from './extended-json.ts'
import type { Found } from './found.ts'

/** Adds the policies of a value. Returns false if it contains none. */
export function addPolicies(value: unknown, source: string, found: Found, id = ''): boolean {
  if (Array.isArray(value)) return value.filter((entry) => addPolicies(entry, source, found)).length > 0
  if (!isJson(value)) return false
  if (isPolicyLike(value)) {
    addPolicy(plainObject(value), source, found, id)
    return true
  }
  const wrapped = value['Data'] ?? value['policies']
  if (isJson(wrapped) || Array.isArray(wrapped)) return addPolicies(wrapped, source, found)
  const members = Object.entries(value).filter(([name]) => name !== '$schema')
  if (members.length === 0 || !members.every(([, member]) => isPolicyLike(member))) return false
  for (const [name, member] of members) addPolicies(member, source, found, name)
  return true
}

function addPolicy(policy: Json, source: string, found: Found, mapId: string): void {
  const { access_rights_array: list, $schema: _, ...rest } = withoutState(policy)
  const id = mapId || textOf(policy['id']) || textOf(policy['_id'])
  if (id === '') {
    found.leftOut.push({ source, reason: `the policy "${textOf(policy['name'])}" has no id` })
    return
  }
  const rights = objectOf(policy['access_rights'])
  const access_rights = Object.keys(rights).length > 0 ? rights : rightsOfList(list)
  // An id in a database that has another form counts as the id, but is not a valid `_id`.
  const { _id: databaseId, ...others } = rest
  const kept = /^[0-9a-fA-F]{24}$/.test(textOf(databaseId)) ? { _id: databaseId } : {}
  found.policies.push({ source, id, value: { ...kept, ...others, id, access_rights } })
}

/** A dashboard repeats the values of `access_rights` as a list. */
function rightsOfList(list: unknown): Json {
  const entries = listOf(list).filter(isJson)
  return Object.fromEntries(
    entries.map((right) => [textOf(memberOf(right, 'api_id')), right]).filter(([id]) => id !== ''),
  )
}

/** Dashboards and the operator write the state of a policy: keys with one that is denied are rejected. */
export function withoutState({ state, ...policy }: Json): Json {
  return state === 'deny' ? { ...policy, is_inactive: true } : policy
}
