/**
 * The variables of an operation. Literals of arguments count as variables `a`, `b`, …: they are checked in the same way,
 * and the request to the upstream sends them as such.
 */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  Kind,
  typeFromAST,
  type ValueNode,
} from 'graphql'
import { changedByJson, JsonNumber, stringifyExactly } from '../text/json-number.ts'
import { problemOfInput } from './input-value.ts'
import { fieldsOf, type OperationTree } from './operation-tree.ts'
import { type Place, placeOf, type Verdict } from './query-error.ts'

export interface Literal {
  readonly name: string
  readonly type: GraphQLInputType
  readonly value: unknown
}

/** The literals of the arguments of an operation, by their nodes. Values with variables inside stay in the query. */
export function literalsOf(tree: OperationTree): ReadonlyMap<ValueNode, Literal> {
  const taken = new Set((tree.node.variableDefinitions ?? []).map(({ variable }) => variable.name.value))
  const literals = new Map<ValueNode, Literal>()
  const equal = new Map<string, Literal>()
  for (const root of tree.selections) {
    if (root.kind === 'field' && root.isIntrospection) continue
    for (const { node, field } of fieldsOf([root])) {
      for (const { name, value } of node.arguments ?? []) {
        const argument = field.args.find((one) => one.name === name.value)
        if (argument === undefined || literals.has(value) || hasVariable(value)) continue
        const json = jsonOfLiteral(value)
        const id = `${String(argument.type)} ${stringifyExactly(json)}`
        const literal = equal.get(id) ?? { name: nextName(taken), type: argument.type, value: json }
        equal.set(id, literal)
        literals.set(value, literal)
      }
    }
  }
  return literals
}

/** The JSON of a literal without variables. Numbers keep their text. */
function jsonOfLiteral(node: ValueNode): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return changedByJson.plain.test(node.value) ? Number(node.value) : new JsonNumber(node.value)
    case Kind.LIST:
      return node.values.map(jsonOfLiteral)
    case Kind.OBJECT: {
      const made: Record<string, unknown> = Object.create(null)
      for (const { name, value } of node.fields) made[name.value] = jsonOfLiteral(value)
      return made
    }
    case Kind.NULL:
    case Kind.VARIABLE:
      return null
    default:
      return node.value
  }
}

function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(hasVariable)
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasVariable(field.value))
  return value.kind === Kind.VARIABLE
}

/** The next free name of `a` … `z`, `aa`, `ab`, … */
function nextName(taken: Set<string>): string {
  for (let number = 0; ; number++) {
    let name = ''
    for (let rest = number; rest >= 0; rest = Math.floor(rest / 26) - 1) {
      name = String.fromCharCode(0x61 + (rest % 26)) + name
    }
    if (taken.has(name)) continue
    taken.add(name)
    return name
  }
}

/** Checks the literals of an operation, once for each query. */
export function checkLiterals(tree: OperationTree, literals: ReadonlyMap<ValueNode, Literal>): Verdict {
  for (const { name, type, value } of literals.values()) {
    const problem = problemOfInput(value, type)
    if (problem !== undefined) return invalid(name, problem, tree, { line: 0, column: 0 })
  }
  return undefined
}

/** A declared variable with the type of the schema. Variables of unknown types are not checked. */
export interface DeclaredVariable {
  readonly name: string
  readonly type: GraphQLInputType
  readonly hasDefault: boolean
  readonly place: Place
}

export function declaredVariables({ node }: OperationTree, schema: GraphQLSchema): readonly DeclaredVariable[] {
  const declared: DeclaredVariable[] = []
  for (const definition of node.variableDefinitions ?? []) {
    const type = typeFromAST(schema, definition.type)
    if (type === undefined || !isInputType(type)) continue
    const { defaultValue, variable } = definition
    const hasDefault = defaultValue !== undefined && defaultValue.kind !== Kind.NULL
    declared.push({ name: variable.name.value, type, hasDefault, place: placeOf(definition) })
  }
  return declared
}

/** Checks the values that a request sends. */
export function checkVariables(
  tree: OperationTree,
  declared: readonly DeclaredVariable[],
  values: Readonly<Record<string, unknown>>,
): Verdict {
  for (const { name, type, hasDefault, place } of declared) {
    if (!Object.hasOwn(values, name)) {
      if (!isNonNullType(type) || hasDefault) continue
      const message = `Required variable "$${name}" was not provided`
      return { message, locations: [place], path: [tree.node.operation] }
    }
    const problem = problemOfInput(values[name], type)
    if (problem !== undefined) return invalid(name, problem, tree, place)
  }
  return undefined
}

function invalid(name: string, problem: string, { node }: OperationTree, place: Place): Verdict {
  const message = `Validation for variable "${name}" failed: ${problem}`
  return { message, locations: [place], path: [node.operation] }
}
