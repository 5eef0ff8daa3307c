/**
 * Schemas that extend another one: a schema whose `allOf` refers to a parent is its child (OpenAPI 3.0.4, 4.7.25.1). A
 * parent with a `discriminator` has its children as alternatives, though it does not list them.
 */
import { isJson, type Json, listOf, memberOf, objectOf, textOf } from '../../lib/json.ts'
import { deref } from './operations.ts'

/** The children of each schema, with their names, and the names of the schemas. */
interface Family {
  readonly childrenOf: ReadonlyMap<Json, readonly string[]>
  readonly namesOf: ReadonlyMap<Json, string>
}

const families = new WeakMap<Json, Family>()

function familyOf(document: Json): Family {
  const known = families.get(document)
  if (known !== undefined) return known
  const childrenOf = new Map<Json, string[]>()
  const namesOf = new Map<Json, string>()
  for (const [name, schema] of Object.entries(objectOf(memberOf(document, 'components', 'schemas')))) {
    if (!isJson(schema)) continue
    namesOf.set(schema, name)
    for (const parent of parentsOf(schema, document)) {
      const children = childrenOf.get(parent) ?? []
      childrenOf.set(parent, children)
      children.push(name)
    }
  }
  const family = { childrenOf, namesOf }
  families.set(document, family)
  return family
}

function parentsOf(schema: Json, document: Json): readonly Json[] {
  return listOf(schema['allOf']).flatMap((part): readonly Json[] => {
    const parent = isJson(part) && textOf(part['$ref']) !== '' ? deref(document, part) : undefined
    return parent === undefined ? [] : [parent]
  })
}

/**
 * The alternatives of a parent by their names, with its grandchildren and itself. Each is without the parent, which a check
 * of the parent has checked.
 */
export function alternativesOf(parent: Json, document: Json): ReadonlyMap<string, Json> {
  const { childrenOf, namesOf } = familyOf(document)
  const found = new Map<string, Json>()
  const open = [...(childrenOf.get(parent) ?? [])]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const child = memberOf(document, 'components', 'schemas', name)
    if (found.has(name) || !isJson(child) || child === parent) continue
    found.set(name, withoutParent(child, parent, document))
    open.push(...(childrenOf.get(child) ?? []))
  }
  const own = namesOf.get(parent)
  return own === undefined || found.size === 0 ? found : found.set(own, {})
}

const childrenWithout = new WeakMap<Json, WeakMap<Json, Json>>()
const originals = new WeakMap<Json, Json>()

/** The schema of the document from which `withoutParent` made a schema. */
export function originalOf(schema: Json): Json {
  return originals.get(schema) ?? schema
}

/** A copy of the child, and of the schemas between both, that does not refer to the parent. */
export function withoutParent(child: Json, parent: Json, document: Json): Json {
  const known = childrenWithout.get(parent) ?? new WeakMap<Json, Json>()
  childrenWithout.set(parent, known)
  const found = known.get(child)
  if (found !== undefined) return found
  if (child === parent) return {}
  // Where schemas extend each other in a circle, the copy refers to the schema, whose check finds the circle.
  known.set(child, child)
  const parts = listOf(child['allOf']).flatMap((part): unknown[] => {
    const target = isJson(part) && textOf(part['$ref']) !== '' ? deref(document, part) : undefined
    if (target === undefined) return [part]
    if (target === parent) return []
    const copy = withoutParent(target, parent, document)
    return [copy === target ? part : copy]
  })
  if (parts.every((part, i) => part === listOf(child['allOf'])[i]) && parts.length === listOf(child['allOf']).length) {
    return child
  }
  const { allOf: _, ...others } = child
  const copy = parts.length === 0 ? others : { ...others, allOf: parts }
  known.set(child, copy)
  originals.set(copy, child)
  return copy
}
