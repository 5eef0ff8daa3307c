/** The rules of GraphQL validation that the gateway applies to a resolved operation. Clients rely on the texts. */
import {
  type ArgumentNode,
  type DirectiveNode,
  doTypesOverlap,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isNonNullType,
  isRequiredArgument,
  isTypeSubTypeOf,
  Kind,
  type TypeNode,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
  type VariableNode,
} from 'graphql'
import type { OperationTree, SelectedField, SelectedGroup, Selection } from './operation-tree.ts'
import { placeOf, type QueryError, type Verdict } from './query-error.ts'

export function checkRules(tree: OperationTree, schema: GraphQLSchema): Verdict {
  const declared = new Map((tree.node.variableDefinitions ?? []).map((node) => [node.variable.name.value, node]))
  const rules = new Rules(schema, tree.name, declared)
  const path = [tree.node.operation]
  return (
    rules.directives(tree.node.directives ?? [], tree.node.operation.toUpperCase(), path) ??
    rules.selections(tree.selections, path)
  )
}

class Rules {
  private readonly schema: GraphQLSchema
  private readonly operationName: string
  private readonly declared: ReadonlyMap<string, VariableDefinitionNode>

  constructor(schema: GraphQLSchema, operationName: string, declared: ReadonlyMap<string, VariableDefinitionNode>) {
    this.schema = schema
    this.operationName = operationName
    this.declared = declared
  }

  selections(selections: readonly Selection[], path: readonly string[]): Verdict {
    for (const selection of selections) {
      const error = selection.kind === 'field' ? this.field(selection, path) : this.group(selection, path)
      if (error !== undefined) return error
    }
    return undefined
  }

  private field(selection: SelectedField, path: readonly string[]): Verdict {
    const { node, field, parent, key } = selection
    const own = [...path, key]
    if (node.selectionSet === undefined && !isLeafType(getNamedType(field.type))) {
      return { message: `non scalar field: ${field.name} on type: ${parent.name} must have selections`, path }
    }
    const given = node.arguments ?? []
    return (
      this.missingArgument(given, field.args, `field: ${field.name}`, path) ??
      this.arguments(given, field.args, `field "${parent.name}.${field.name}"`, own) ??
      this.directives(node.directives ?? [], 'FIELD', own) ??
      this.selections(selection.selections, own)
    )
  }

  private group(group: SelectedGroup, path: readonly string[]): Verdict {
    const { type, enclosing, fragment } = group
    if (!doTypesOverlap(this.schema, type, enclosing)) {
      const message =
        fragment === undefined
          ? `inline fragment on type: ${type.name} mismatches enclosing type: ${enclosing.name}`
          : `fragment spread: fragment: ${fragment} must be spread on type: ${type.name} and not type: ${enclosing.name}`
      return { message, path }
    }
    const location = fragment === undefined ? 'INLINE_FRAGMENT' : 'FRAGMENT_SPREAD'
    return this.directives(group.directives, location, path) ?? this.selections(group.selections, path)
  }

  directives(nodes: readonly DirectiveNode[], location: string, path: readonly string[]): Verdict {
    const seen = new Set<string>()
    for (const node of nodes) {
      const name = node.name.value
      const directive = this.schema.getDirective(name)
      if (!directive) return { message: `directive: ${name} undefined`, path }
      if (!directive.locations.some((one) => one === location)) {
        return { message: `directive: ${name} not allowed on node kind: ${location}`, path }
      }
      if (seen.has(name) && !directive.isRepeatable) {
        return { message: `directive: ${name} must be unique per location`, path }
      }
      seen.add(name)
      const given = node.arguments ?? []
      const error =
        this.missingArgument(given, directive.args, `directive: ${name}`, path) ??
        this.arguments(given, directive.args, `directive "@${name}"`, path)
      if (error !== undefined) return error
    }
    return undefined
  }

  private missingArgument(
    given: readonly ArgumentNode[],
    defined: readonly GraphQLArgument[],
    owner: string,
    path: readonly string[],
  ): Verdict {
    const missing = defined.find(
      (argument) => isRequiredArgument(argument) && !given.some(({ name }) => name.value === argument.name),
    )
    return missing && { message: `argument: ${missing.name} is required on ${owner} but missing`, path }
  }

  private arguments(
    given: readonly ArgumentNode[],
    defined: readonly GraphQLArgument[],
    owner: string,
    path: readonly string[],
  ): Verdict {
    const seen = new Set<string>()
    for (const node of given) {
      const name = node.name.value
      const argument = defined.find((one) => one.name === name)
      if (argument === undefined) {
        return { message: `Unknown argument "${name}" on ${owner}.`, locations: [placeOf(node)] }
      }
      if (seen.has(name)) return { message: `argument: ${name} must be unique`, path }
      seen.add(name)
      const error = this.variablesIn(node.value, argument.type, argument.defaultValue !== undefined, path)
      if (error !== undefined) return error
    }
    return undefined
  }

  /** Every variable of a value must be declared. One that is the whole value must also have a fitting type. */
  private variablesIn(
    value: ValueNode,
    type: GraphQLInputType | undefined,
    hasDefault: boolean,
    path: readonly string[],
  ): Verdict {
    if (value.kind === Kind.VARIABLE) return this.variable(value, type, hasDefault, path)
    const inner =
      value.kind === Kind.LIST
        ? value.values
        : value.kind === Kind.OBJECT
          ? value.fields.map((field) => field.value)
          : []
    for (const one of inner) {
      const error = this.variablesIn(one, undefined, false, path)
      if (error !== undefined) return error
    }
    return undefined
  }

  private variable(
    node: VariableNode,
    type: GraphQLInputType | undefined,
    hasDefault: boolean,
    path: readonly string[],
  ): Verdict {
    const name = node.name.value
    const definition = this.declared.get(name)
    if (definition === undefined) {
      const message = `Variable "$${name}" is not defined by operation "${this.operationName}"`
      return { message, locations: [placeOf(node)], path }
    }
    const declaredType = typeFromAST(this.schema, definition.type)
    if (declaredType === undefined) return { message: `Unknown type "${namedType(definition.type)}".`, path }
    if (type === undefined) return undefined
    const mayBeNull =
      hasDefault || (definition.defaultValue !== undefined && definition.defaultValue.kind !== Kind.NULL)
    const wanted = isNonNullType(type) && mayBeNull ? type.ofType : type
    if (isTypeSubTypeOf(this.schema, declaredType, wanted)) return undefined
    return mismatch(name, String(declaredType), String(type), definition, node, path)
  }
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type)
}

function mismatch(
  name: string,
  declared: string,
  wanted: string,
  definition: VariableDefinitionNode,
  node: VariableNode,
  path: readonly string[],
): QueryError {
  const message = `Variable "$${name}" of type "${declared}" used in position expecting type "${wanted}".`
  return { message, locations: [placeOf(definition), placeOf(node)], path }
}
