/**
 * The selections of an operation: every field with its type, and fragments in place of their spreads. All checks, the
 * request to the upstream and its response use this tree. `resolve-operation.ts` makes it. This file needs no module of
 * the `graphql` package at run time, so checks of rights do not load it.
 */
import type {
  DirectiveNode,
  FieldNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLObjectType,
  OperationDefinitionNode,
} from 'graphql'

export interface SelectedField {
  readonly kind: 'field'
  readonly node: FieldNode
  /** The name in the response: the alias or the name. */
  readonly key: string
  /** The type from which the field is selected. */
  readonly parent: GraphQLCompositeType
  readonly field: GraphQLField<unknown, unknown>
  /** It is resolved from the schema: `__schema` or `__type` of the root. */
  readonly isIntrospection: boolean
  readonly selections: readonly Selection[]
}

/** Selections for objects of one type, or with directives of a fragment. */
export interface SelectedGroup {
  readonly kind: 'group'
  readonly type: GraphQLCompositeType
  /** Name of the fragment; `undefined`: an inline fragment. */
  readonly fragment: string | undefined
  readonly enclosing: GraphQLCompositeType
  readonly directives: readonly DirectiveNode[]
  readonly selections: readonly Selection[]
}

export type Selection = SelectedField | SelectedGroup

export interface OperationTree {
  readonly node: OperationDefinitionNode
  /** Empty if the operation has no name. */
  readonly name: string
  readonly root: GraphQLObjectType
  readonly selections: readonly Selection[]
}

/** All fields of a tree in the order of the query. */
export function* fieldsOf(selections: readonly Selection[]): Generator<SelectedField> {
  for (const selection of selections) {
    if (selection.kind === 'field') yield selection
    yield* fieldsOf(selection.selections)
  }
}

/** The fields of one level, those of groups included. */
export function* levelOf(selections: readonly Selection[]): Generator<SelectedField> {
  for (const selection of selections) {
    if (selection.kind === 'field') yield selection
    else yield* levelOf(selection.selections)
  }
}

/** Returns true if a root field of the operation belongs to the introspection system. */
export function introspects({ selections }: OperationTree): boolean {
  for (const field of levelOf(selections)) if (field.isIntrospection) return true
  return false
}

/** Returns true if the schema alone resolves the operation. */
export function onlyIntrospects({ selections }: OperationTree): boolean {
  let count = 0
  for (const field of levelOf(selections)) {
    if (!field.isIntrospection) return false
    count++
  }
  return count > 0
}

/** Levels of fields in the selections; fragments count as what they contain. */
export function depthOf(selections: readonly Selection[]): number {
  let depth = 0
  for (const field of levelOf(selections)) depth = Math.max(depth, depthOf(field.selections) + 1)
  return depth
}
