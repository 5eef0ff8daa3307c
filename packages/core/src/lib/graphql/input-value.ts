/** Compares a JSON value with an input type of the schema. Clients rely on the texts. */
import {
  type GraphQLInputType,
  type GraphQLNamedInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql'
import { isJson } from '../json.ts'
import { plainNumber } from '../text/json-number.ts'

/** JSON types of the built-in scalars; other scalars accept every value. The values of an enumeration are not compared. */
const scalarTypes: Readonly<Record<string, readonly string[]>> = {
  Int: ['integer'],
  Float: ['number'],
  String: ['string'],
  Boolean: ['boolean'],
  ID: ['string', 'integer'],
}

/** Returns what is wrong with the value; `undefined`: it is valid. `value` nests no deeper than the body or the query. */
export function problemOfInput(value: unknown, type: GraphQLInputType): string | undefined {
  const required = isNonNullType(type)
  const inner = required ? type.ofType : type
  if (value === null && !required) return undefined
  if (isListType(inner)) {
    // GraphQL accepts a single value in place of a list with one entry.
    if (value === null) return expected(['array'], required, value)
    for (const item of Array.isArray(value) ? value : [value]) {
      const problem = problemOfInput(item, inner.ofType)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  return problemOfNamed(value, inner as GraphQLNamedInputType, required)
}

function problemOfNamed(value: unknown, type: GraphQLNamedInputType, required: boolean): string | undefined {
  if (!isInputObjectType(type)) {
    const types = isEnumType(type) ? ['string'] : scalarTypes[type.name]
    if (types === undefined) return value === null ? expected(['a value'], true, value) : undefined
    return types.some((name) => hasType(value, name)) ? undefined : expected(types, required, value)
  }
  if (!isJson(value)) return expected(['object'], required, value)
  const fields = type.getFields()
  const missing = Object.values(fields).filter(
    (field) => isRequiredInputField(field) && !Object.hasOwn(value, field.name),
  )
  if (missing.length > 0) return `missing properties: ${missing.map(({ name }) => `'${name}'`).join(', ')}`
  for (const [name, member] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field === undefined) return `additionalProperties '${name}' not allowed`
    const problem = problemOfInput(member, field.type)
    if (problem !== undefined) return problem
  }
  return undefined
}

function hasType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(plainNumber(value)) : jsonTypeOf(value) === type
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof plainNumber(value)
}

function expected(types: readonly string[], required: boolean, value: unknown): string {
  const wanted = required ? types : [...types, 'null']
  return `expected ${wanted.join(' or ')}, but got ${jsonTypeOf(value)}`
}
