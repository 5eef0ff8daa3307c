/**
 * Resolves the selections of an operation against the schema. The number of selections and their depth are limited,
 * because fragments can multiply a short query.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  type InlineFragmentNode,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql'
import type { OperationTree, Selection } from './operation-tree.ts'
import type { QueryError } from './query-error.ts'

const maxSelections = 10_000
const maxDepth = 400

export type Resolved =
  | { readonly tree: OperationTree; readonly error: undefined }
  | { readonly error: QueryError; readonly tree: undefined }

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

export function resolveOperation(node: OperationDefinitionNode, schema: GraphQLSchema, fragments: Fragments): Resolved {
  const root = schema.getRootType(node.operation)
  const first = firstNameIn(node.selectionSet)
  if (!root) {
    const error: QueryError =
      node.operation === 'query'
        ? { message: `field: ${first} not defined on type: Query`, path: [node.operation, first] }
        : { message: 'Unknown type "".', path: [node.operation] }
    return { error, tree: undefined }
  }
  const resolver = new Resolver(schema, fragments)
  const selections = resolver.resolve(node.selectionSet, {
    parent: root,
    path: [node.operation],
    depth: 0,
    isRoot: true,
  })
  if (resolver.error !== undefined) return { error: resolver.error, tree: undefined }
  return { tree: { node, name: node.name?.value ?? '', root, selections }, error: undefined }
}

function firstNameIn({ selections: [first] }: SelectionSetNode): string {
  return first?.kind === Kind.FIELD ? first.name.value : ''
}

/** Where a selection is: the type it selects from and the keys above it. */
interface Position {
  readonly parent: GraphQLNamedType
  readonly path: readonly string[]
  readonly depth: number
  /** Whether the selection is at the root of the operation, where `__schema` and `__type` are allowed. */
  readonly isRoot: boolean
}

/** Stops at the first error, which `error` then contains. */
class Resolver {
  error: QueryError | undefined = undefined
  private count = 0
  private readonly open: string[] = []
  private readonly schema: GraphQLSchema
  private readonly fragments: Fragments

  constructor(schema: GraphQLSchema, fragments: Fragments) {
    this.schema = schema
    this.fragments = fragments
  }

  resolve(set: SelectionSetNode | undefined, at: Position): Selection[] {
    const found: Selection[] = []
    this.resolveInto(set, at, found)
    return found
  }

  private resolveInto(set: SelectionSetNode | undefined, at: Position, found: Selection[]): void {
    if (at.depth > maxDepth) this.error ??= { message: 'the query is too deep to be checked' }
    for (const node of set?.selections ?? []) {
      if (++this.count > maxSelections) this.error ??= { message: 'the query is too large to be checked' }
      if (this.error !== undefined) return
      if (node.kind === Kind.FIELD) this.addField(node, at, found)
      else if (node.kind === Kind.FRAGMENT_SPREAD) this.addFragment(node, at, found)
      else this.addGroup(node.typeCondition?.name.value, undefined, node, at, found)
    }
  }

  private addField(node: FieldNode, { parent, path, depth, isRoot }: Position, found: Selection[]): void {
    const key = node.alias?.value ?? node.name.value
    const own = [...path, key]
    const field = isCompositeType(parent) ? this.fieldOf(parent, node.name.value, isRoot) : undefined
    if (field === undefined || !isCompositeType(parent)) {
      this.error = { message: `field: ${node.name.value} not defined on type: ${parent.name}`, path: own }
      return
    }
    const inner = { parent: getNamedType(field.type), path: own, depth: depth + 1, isRoot: false }
    const isIntrospection = field === SchemaMetaFieldDef || field === TypeMetaFieldDef
    const selections = this.resolve(node.selectionSet, inner)
    found.push({ kind: 'field', node, key, parent, field, isIntrospection, selections })
  }

  private addFragment(node: FragmentSpreadNode, at: Position, found: Selection[]): void {
    const name = node.name.value
    const fragment = this.fragments.get(name)
    if (fragment === undefined) this.error = { message: `fragment: ${name} undefined`, path: at.path }
    else if (this.open.includes(name)) this.error = { message: `fragment: ${name} contains itself`, path: at.path }
    else {
      this.open.push(name)
      const content = { selectionSet: fragment.selectionSet, directives: node.directives ?? [] }
      this.addGroup(fragment.typeCondition.name.value, name, content, at, found)
      this.open.pop()
    }
  }

  private addGroup(
    typeName: string | undefined,
    fragment: string | undefined,
    { selectionSet, directives = [] }: Pick<InlineFragmentNode, 'selectionSet' | 'directives'>,
    at: Position,
    found: Selection[],
  ): void {
    const { parent } = at
    const type = typeName === undefined ? parent : this.schema.getType(typeName)
    if (!isCompositeType(type) || !isCompositeType(parent)) {
      this.error = { message: `Unknown type "${typeName ?? parent.name}".`, path: at.path }
      return
    }
    const inner = { ...at, parent: type, depth: at.depth + 1, isRoot: at.isRoot && type === parent }
    // A fragment on the same type without directives has no effect of its own.
    if (type === parent && directives.length === 0) this.resolveInto(selectionSet, inner, found)
    else {
      const selections = this.resolve(selectionSet, inner)
      found.push({ kind: 'group', type, fragment, enclosing: parent, directives, selections })
    }
  }

  private fieldOf(
    type: GraphQLCompositeType,
    name: string,
    isRoot: boolean,
  ): GraphQLField<unknown, unknown> | undefined {
    if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef
    if (isRoot && type === this.schema.getQueryType()) {
      if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
      if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
    }
    return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined
  }
}
