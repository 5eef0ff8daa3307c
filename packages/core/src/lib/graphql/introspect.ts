/** Resolves `__schema` and `__type` from the schema. The work of one query is limited. */
import {
  type DocumentNode,
  executeSync,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  MaxIntrospectionDepthRule,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql'
import { isJson, type Json } from '../json.ts'
import { levelOf, type OperationTree, type Selection } from './operation-tree.ts'
import type { QueryError } from './query-error.ts'
import { resolveOperation } from './resolve-operation.ts'

/** Values that one query may produce, about 1 µs each. The standard introspection query is always allowed. */
const maxValues = 50_000

export type Introspection =
  | { readonly data: Json; readonly error: undefined }
  | { readonly error: QueryError; readonly data: undefined }

export function introspect(
  tree: OperationTree,
  fragments: readonly FragmentDefinitionNode[],
  schema: GraphQLSchema,
  variables: Readonly<Record<string, unknown>>,
): Introspection {
  const fields = [...levelOf(tree.selections)].filter((field) => field.isIntrospection)
  const counts = countSchema(schema)
  const cost = fields.reduce((sum, { selections }) => sum + costOf(selections, counts), 0)
  if (cost > maxValues && cost > standardCost(schema, counts)) return rejected('the introspection query is too large')
  const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: fields.map(({ node }) => node) }
  const operation: OperationDefinitionNode = { ...tree.node, selectionSet }
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] }
  const [tooDeep] = validate(schema, document, [MaxIntrospectionDepthRule])
  if (tooDeep !== undefined) return rejected(tooDeep.message)
  const { data, errors } = executeSync({ schema, document, variableValues: variables })
  const [error] = errors ?? []
  if (error !== undefined || !isJson(data)) return rejected(error?.message ?? 'the schema cannot be introspected')
  return { data, error: undefined }
}

function rejected(message: string): Introspection {
  return { error: { message }, data: undefined }
}

/** The cost of the query that tools send. Some ask for deprecated input fields and specifications of scalars too. */
function standardCost(schema: GraphQLSchema, counts: Counts): number {
  const query = getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true, schemaDescription: true })
  const { definitions } = parse(query)
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  const operation = definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)
  const byName = new Map(fragments.map((node) => [node.name.value, node]))
  const tree = operation && resolveOperation(operation, schema, byName).tree
  return tree === undefined ? 0 : costOf(tree.selections, counts)
}

/** Average lengths of the lists that introspection returns. */
type Counts = ReadonlyMap<string, number>

function countSchema(schema: GraphQLSchema): Counts {
  const types = Object.values(schema.getTypeMap())
  let fields = 0
  let args = 0
  let values = 0
  for (const type of types) {
    if (isEnumType(type)) values += type.getValues().length
    if (isInputObjectType(type)) values += Object.keys(type.getFields()).length
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) {
      fields++
      args += field.args.length
    }
  }
  const perType = (count: number) => Math.max(1, Math.ceil(count / Math.max(1, types.length)))
  return new Map([
    ['types', types.length],
    ['directives', schema.getDirectives().length],
    ['fields', perType(fields)],
    ['inputFields', perType(values)],
    ['enumValues', perType(values)],
    ['args', Math.max(1, Math.ceil(args / Math.max(1, fields)))],
    ['interfaces', 1],
    ['possibleTypes', 2],
  ])
}

function costOf(selections: readonly Selection[], counts: Counts): number {
  let cost = 0
  for (const { field, selections: inner } of levelOf(selections)) {
    cost += 1 + (inner.length === 0 ? 0 : (counts.get(field.name) ?? 1) * costOf(inner, counts))
  }
  return cost
}
