/**
 * Checks queries against a schema and keeps recently used ones. A query that is found again costs no parsing: only its
 * variables and the limits of the key are compared.
 */
import { type FragmentDefinitionNode, type GraphQLSchema, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { LRUCache } from 'lru-cache'
import { checkRules } from './check-rules.ts'
import type { OperationTree } from './operation-tree.ts'
import { noOperation, parseQuery } from './parse-query.ts'
import type { QueryError } from './query-error.ts'
import { type Fragments, resolveOperation } from './resolve-operation.ts'
import { type UpstreamQuery, writeUpstreamQuery } from './upstream-request.ts'
import { checkLiterals, type DeclaredVariable, declaredVariables, type Literal, literalsOf } from './variables.ts'

export interface CheckedOperation {
  readonly tree: OperationTree
  readonly declared: readonly DeclaredVariable[]
  /** Values of variables that a request does not send. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** The query of the engine form; `undefined`: the gateway resolves every field. */
  readonly upstream: UpstreamQuery | undefined
}

export interface CheckedQuery {
  /** At least one. */
  readonly operations: readonly CheckedOperation[]
  readonly fragments: readonly FragmentDefinitionNode[]
}

/** The operation that a request selects: the first one if it names none. */
export function chooseOperation({ operations }: CheckedQuery, name: string): CheckedOperation | undefined {
  return name === '' ? operations[0] : operations.find(({ tree }) => tree.name === name)
}

const maxCachedQueries = 256
/** Characters of all cached queries of one API. A checked query takes about 30 bytes for each. */
const maxCachedLength = 256 * 1024

export type CheckResult =
  | { readonly query: CheckedQuery; readonly error: undefined }
  | { readonly error: QueryError; readonly query: undefined }

export class QueryChecker {
  readonly schema: GraphQLSchema
  private readonly recent = new LRUCache<string, CheckedQuery>({
    max: maxCachedQueries,
    maxSize: maxCachedLength,
    sizeCalculation: (_, text) => text.length + 1,
  })

  constructor(schema: GraphQLSchema) {
    this.schema = schema
  }

  /** Only valid queries are kept, so that invalid ones cannot displace them. */
  check(text: string): CheckResult {
    const known = this.recent.get(text)
    if (known !== undefined) return { query: known, error: undefined }
    const result = checkQuery(text, this.schema)
    if (result.query !== undefined) this.recent.set(text, result.query)
    return result
  }
}

function checkQuery(text: string, schema: GraphQLSchema): CheckResult {
  const { document, error } = parseQuery(text)
  if (document === undefined) return { error, query: undefined }
  const nodes = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  const byName: Fragments = new Map(fragments.map((node) => [node.name.value, node]))
  if (nodes.length === 0) return { error: noOperation, query: undefined }
  const trees: OperationTree[] = []
  for (const node of nodes) {
    const resolved = resolveOperation(node, schema, byName)
    if (resolved.tree === undefined) return { error: resolved.error, query: undefined }
    trees.push(resolved.tree)
  }
  const names = trees.map(({ name }) => name)
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
  if (repeated !== undefined) {
    return { error: { message: `operation name must be unique: ${repeated}` }, query: undefined }
  }
  const operations: CheckedOperation[] = []
  for (const tree of trees) {
    const literals = literalsOf(tree)
    const problem = checkRules(tree, schema) ?? checkLiterals(tree, literals)
    if (problem !== undefined) return { error: problem, query: undefined }
    operations.push(makeOperation(tree, schema, literals))
  }
  return { query: { operations, fragments }, error: undefined }
}

function makeOperation(
  tree: OperationTree,
  schema: GraphQLSchema,
  literals: ReadonlyMap<ValueNode, Literal>,
): CheckedOperation {
  const defaults: Record<string, unknown> = Object.create(null)
  for (const { variable, defaultValue } of tree.node.variableDefinitions ?? []) {
    if (defaultValue !== undefined) defaults[variable.name.value] = valueFromASTUntyped(defaultValue)
  }
  const upstream = writeUpstreamQuery(tree, literals)
  return { tree, declared: declaredVariables(tree, schema), defaults, upstream }
}
