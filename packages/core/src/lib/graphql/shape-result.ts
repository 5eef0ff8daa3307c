/**
 * Builds the body of a response of the engine form from the body of the upstream: exactly the selected fields, `null`
 * for missing ones, and the errors of the upstream in front.
 */
import {
  type FieldNode,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  TypeNameMetaFieldDef,
} from 'graphql'
import { isJson, type Json, listOf, memberOf } from '../json.ts'
import { JsonNumber, stringifyExactly } from '../text/json-number.ts'
import type { OperationTree, SelectedField, Selection } from './operation-tree.ts'
import { placeOf } from './query-error.ts'

export interface UpstreamResult {
  /** The parsed body of the upstream; `undefined`: it is not JSON, or the upstream was not called. */
  readonly body: unknown
  /** The fields that are resolved from the schema. */
  readonly introspected: Json
  readonly variables: Readonly<Record<string, unknown>>
  /** If true, the first error of the upstream gets its whole body as `extensions`. */
  readonly forwardsErrors: boolean
}

export function shapeResult(tree: OperationTree, schema: GraphQLSchema, result: UpstreamResult): string {
  const errors = [...listOf(memberOf(result.body, 'errors'))]
  if (result.forwardsErrors && isJson(errors[0])) errors[0] = { ...errors[0], extensions: result.body }
  const shaper = new Shaper(schema, result)
  const data = shaper.object(memberOf(result.body, 'data'), tree.root, tree.selections)
  const failed = shaper.failed
  if (data === unresolved && failed !== undefined) {
    errors.push({ message: 'unable to resolve', locations: [placeOf(failed)] })
  }
  const whole: Record<string, unknown> = errors.length > 0 ? { errors } : {}
  whole.data = data === unresolved ? null : data
  return stringifyExactly(whole)
}

/** A value that the schema does not allow to be null is missing; the next value above that may be null becomes null. */
const unresolved = Symbol('unresolved')

class Shaper {
  /** The field that was null although it must not be. */
  failed: FieldNode | undefined = undefined
  private readonly schema: GraphQLSchema
  private readonly result: UpstreamResult

  constructor(schema: GraphQLSchema, result: UpstreamResult) {
    this.schema = schema
    this.result = result
  }

  object(value: unknown, type: GraphQLNamedOutputType, selections: readonly Selection[]): unknown {
    const actual = this.typeOf(value, type)
    const groups = new Map<string, SelectedField[]>()
    this.collect(selections, value, actual, groups)
    const shaped: Record<string, unknown> = Object.create(null)
    for (const [key, fields] of groups) {
      const made = this.field(fields, memberOf(value, key), key, actual)
      if (made === unresolved) return unresolved
      shaped[key] = made
    }
    return shaped
  }

  /** The object type of a value; an abstract type if the upstream did not name it. */
  private typeOf(value: unknown, type: GraphQLNamedOutputType): GraphQLNamedOutputType {
    if (!isAbstractType(type)) return type
    const name = memberOf(value, '__typename')
    const named = typeof name === 'string' ? this.schema.getType(name) : undefined
    return isObjectType(named) ? named : type
  }

  /** Collects fields by their keys (GraphQL specification, 6.3.2). */
  private collect(
    selections: readonly Selection[],
    value: unknown,
    actual: GraphQLNamedOutputType,
    groups: Map<string, SelectedField[]>,
  ): void {
    for (const selection of selections) {
      const directives = selection.kind === 'field' ? selection.node.directives : selection.directives
      if (this.isSkipped(directives ?? [])) continue
      if (selection.kind === 'group') {
        if (this.applies(selection.type, actual)) this.collect(selection.selections, value, actual, groups)
        continue
      }
      // Without the type of an object, its fields of other types are known only by their presence.
      const mayBeAbsent = selection.parent !== actual && isAbstractType(actual)
      if (mayBeAbsent && memberOf(value, selection.key) === undefined) continue
      const known = groups.get(selection.key)
      if (known === undefined) groups.set(selection.key, [selection])
      else known.push(selection)
    }
  }

  private applies(type: GraphQLNamedOutputType, actual: GraphQLNamedOutputType): boolean {
    if (type === actual || isAbstractType(actual)) return true
    return isAbstractType(type) && isObjectType(actual) && this.schema.isSubType(type, actual)
  }

  private isSkipped(directives: NonNullable<FieldNode['directives']>): boolean {
    return directives.some(({ name, arguments: given = [] }) => {
      if (name.value !== 'skip' && name.value !== 'include') return false
      const value = given.find((one) => one.name.value === 'if')?.value
      const condition =
        value?.kind === Kind.VARIABLE
          ? this.result.variables[value.name.value]
          : value?.kind === Kind.BOOLEAN
            ? value.value
            : undefined
      return typeof condition === 'boolean' && condition === (name.value === 'skip')
    })
  }

  private field(
    fields: readonly SelectedField[],
    value: unknown,
    key: string,
    actual: GraphQLNamedOutputType,
  ): unknown {
    const [first] = fields as [SelectedField, ...SelectedField[]]
    if (first.isIntrospection) return this.result.introspected[key] ?? null
    if (first.field === TypeNameMetaFieldDef && isObjectType(actual)) return this.typeName(value, actual)
    const selections = fields.length === 1 ? first.selections : fields.flatMap((field) => field.selections)
    const made = this.value(value, first.field.type, selections)
    if (made === unresolved) this.failed ??= first.node
    return made
  }

  private typeName(value: unknown, { name }: GraphQLObjectType): string {
    return typeof value === 'string' ? value : name
  }

  private value(value: unknown, type: GraphQLOutputType, selections: readonly Selection[]): unknown {
    if (isNonNullType(type)) {
      const made = this.value(value, type.ofType, selections)
      return made === null ? unresolved : made
    }
    if (value === undefined || value === null) return null
    if (isListType(type)) {
      if (!Array.isArray(value)) return null
      const made = value.map((item: unknown) => this.value(item, type.ofType, selections))
      return made.includes(unresolved) ? this.nullInstead() : made
    }
    if (isLeafType(type)) {
      const isPlain = isSpecifiedScalarType(type) || isEnumType(type)
      return isPlain && typeof value === 'object' && !(value instanceof JsonNumber) ? null : value
    }
    const made = isJson(value) ? this.object(value, type, selections) : null
    return made === unresolved ? this.nullInstead() : made
  }

  private nullInstead(): null {
    this.failed = undefined
    return null
  }
}
