/**
 * The limits of a key on a query: depth, types and fields, and introspection. All operations of the document count.
 * Source: docs/reference/graphql.md#depth-limits, docs/reference/graphql.md#type-rights.
 */
import {
  depthOf,
  fieldsOf,
  introspects,
  levelOf,
  type OperationTree,
  onlyIntrospects,
} from '../../lib/graphql/operation-tree.ts'

/** What an access right says about a GraphQL API. */
export interface GraphqlRights {
  /** 0 or less: no limit. With `fieldDepths`, 0 rejects every root field that is not listed. */
  readonly maxDepth: number
  /** Maximum depth below a root field, by `Type.field`; negative: no limit. Empty: only `maxDepth` counts. */
  readonly fieldDepths: ReadonlyMap<string, number>
  /** Field names by type; `*` means all fields of the type. `undefined`: all types are allowed. */
  readonly allowed: TypeFields | undefined
  readonly restricted: TypeFields
  readonly mayIntrospect: boolean
}

export type TypeFields = ReadonlyMap<string, ReadonlySet<string>>

export type LimitProblem =
  | { readonly kind: 'depth' }
  | { readonly kind: 'introspection' }
  | { readonly kind: 'field'; readonly message: string }

/** Returns the first limit that the query exceeds; `undefined`: it is within all limits. */
export function checkGraphqlRights(trees: readonly OperationTree[], rights: GraphqlRights): LimitProblem | undefined {
  if (trees.some((tree) => isTooDeep(tree, rights))) return { kind: 'depth' }
  if (!rights.mayIntrospect && trees.some(introspects)) return { kind: 'introspection' }
  for (const tree of trees) {
    const message = restrictedField(tree, rights)
    if (message !== undefined) return { kind: 'field', message }
  }
  return undefined
}

function isTooDeep(tree: OperationTree, { maxDepth, fieldDepths }: GraphqlRights): boolean {
  if (onlyIntrospects(tree)) return false
  if (fieldDepths.size === 0) return maxDepth > 0 && depthOf(tree.selections) > maxDepth
  for (const root of levelOf(tree.selections)) {
    const depth = depthOf(root.selections)
    const own = fieldDepths.get(`${root.parent.name}.${root.field.name}`)
    if (own === undefined ? maxDepth >= 0 && depth + 1 > maxDepth : own >= 0 && depth > own) return true
  }
  return false
}

/** Fields below `__schema` and `__type` are exempt, other root fields beside them are not. */
function restrictedField(tree: OperationTree, { allowed, restricted }: GraphqlRights): string | undefined {
  if (allowed === undefined && restricted.size === 0) return undefined
  for (const root of levelOf(tree.selections)) {
    if (root.isIntrospection) continue
    for (const { parent, field } of fieldsOf([root])) {
      const lists = allowed ?? restricted
      const names = lists.get(parent.name)
      const isListed = names !== undefined && (names.has(field.name) || names.has('*'))
      if (isListed === (allowed !== undefined)) continue
      return allowed === undefined && names?.has('*')
        ? `all fields of ${parent.name} type are restricted`
        : `field: ${field.name} is restricted on type: ${parent.name}`
    }
  }
  return undefined
}
