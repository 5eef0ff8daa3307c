/**
 * A shape describes a JSON document once. Its TypeScript type, reader, writer, defaults and JSON Schema are derived
 * from it. Definitions, sessions, policies and the configuration are described as shapes.
 *
 * Reading follows the encoding that existing files and clients rely on: `null` means absent, absent means the zero
 * value (`""`, 0, false, no list), unknown fields are ignored, a wrong JSON type makes the document unreadable, and
 * field names match case-insensitively if there is no exact match. `$schema` at the top of a document is for editors and
 * is ignored.
 *
 * Internal field names are camelCase; the wire name is derived (`quotaMax` ↔ `quota_max`) unless given.
 */

import { type JsonSchema, type Problem, type Shape, wrongType } from './shape-type.ts'

export { nearestName } from './nearest-name.ts'
export {
  camelObject,
  described,
  type Field,
  field,
  type ObjectOf,
  type ObjectShape,
  object,
  readOnlyObject,
} from './object-shape.ts'
export { type JsonPath, type JsonSchema, type Of, type Problem, type Shape, wrongType } from './shape-type.ts'

/**
 * Maximum nesting depth of a free value. Documents written by hand stay far below it; writing or freezing a deeper one
 * would overflow the stack.
 */
const maxFreeDepth = 200

function scalar<T extends string | number | boolean>(
  zero: T,
  expected: string,
  type: string,
  accepts: (value: unknown) => boolean,
): Shape<T> {
  return {
    zero: () => zero,
    read(value, path, problems) {
      if (value === undefined || value === null) return zero
      if (accepts(value)) return value as T
      wrongType(expected, value, path, problems)
      return zero
    },
    write: (value) => value,
    isZero: (value) => value === zero,
    writeSparse: (value) => value,
    schema: { type },
  }
}

export const text: Shape<string> = scalar<string>('', 'a text', 'string', (v) => typeof v === 'string')
/** JSON numbers can overflow to infinity (`1e999`), which JSON cannot write. */
export const number: Shape<number> = scalar<number>(0, 'a number', 'number', Number.isFinite)
/** Up to 64 bits, as in existing files; beyond 2^53 the last digits are lost. */
export const integer: Shape<number> = scalar<number>(0, 'a whole number', 'integer', isInt64)
export const boolean: Shape<boolean> = scalar<boolean>(false, 'true or false', 'boolean', (v) => typeof v === 'boolean')

function isInt64(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= 2 ** 63
}

/** Any value, unchanged except that `__proto__` members are removed; null when absent or nested too deep. */
export const anything: Shape<unknown> = {
  zero: () => null,
  read(value, path, problems) {
    if (value === undefined || value === null) return null
    if (typeof value !== 'object' || tameFreeValue(value)) return value
    problems.push({ kind: 'type', path: [...path], message: `must not nest deeper than ${maxFreeDepth} levels` })
    return null
  },
  write: (value) => value ?? null,
  isZero: (value) => value === null || value === undefined || (typeof value === 'object' && isEmpty(value)),
  writeSparse: (value) => value,
  schema: {},
}

/** Removes `__proto__` members level by level, without recursion. Returns false if the value nests too deep. */
function tameFreeValue(value: object): boolean {
  let level: object[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxFreeDepth) return false
    const below: object[] = []
    for (const parent of level) {
      if (Object.hasOwn(parent, '__proto__')) Reflect.deleteProperty(parent, '__proto__')
      for (const child of Object.values(parent)) if (typeof child === 'object' && child !== null) below.push(child)
    }
    level = below
  }
  return true
}

function isEmpty(value: object): boolean {
  for (const _key in value) return false
  return true
}

/** A list, `null` when absent. */
export function list<T>(item: Shape<T>): Shape<T[] | null> {
  return {
    zero: () => null,
    read(value, path, problems) {
      if (value === undefined || value === null) return null
      if (Array.isArray(value)) return value.map((entry, i) => item.read(entry, [...path, i], problems))
      wrongType('a list', value, path, problems)
      return null
    },
    write: (value) => value?.map((entry) => item.write(entry)) ?? null,
    isZero: (value) => value === null || value.length === 0,
    writeSparse: (value) => value?.map((entry) => item.writeSparse(entry)) ?? null,
    schema: { type: ['array', 'null'], items: item.schema },
  }
}

/** An object with arbitrary names, `null` when absent. It has no prototype, so that no name is special. */
export function map<T>(item: Shape<T>): Shape<Record<string, T> | null> {
  const each = (value: Record<string, T> | null, fn: (entry: T) => unknown): unknown => {
    if (value === null) return null
    const out: Record<string, unknown> = Object.create(null)
    for (const name of Object.keys(value)) out[name] = fn(value[name] as T)
    return out
  }
  return {
    zero: () => null,
    read(value, path, problems) {
      if (value === undefined || value === null) return null
      if (typeof value !== 'object' || Array.isArray(value)) {
        wrongType('an object', value, path, problems)
        return null
      }
      const out: Record<string, T> = Object.create(null)
      const given = value as Record<string, unknown>
      for (const name of Object.keys(given)) {
        // Harmless here, but not if a caller copies the object with Object.assign.
        if (name !== '__proto__') out[name] = item.read(given[name], [...path, name], problems)
      }
      return out
    },
    write: (value) => each(value, (entry) => item.write(entry)),
    isZero: (value) => value === null || isEmpty(value),
    writeSparse: (value) => each(value, (entry) => item.writeSparse(entry)),
    schema: { type: ['object', 'null'], additionalProperties: item.schema },
  }
}

/** `null` when absent, instead of the zero value of the shape. */
export function optional<T>(shape: Shape<T>): Shape<T | null> {
  return {
    zero: () => null,
    read: (value, path, problems) => (value === undefined || value === null ? null : shape.read(value, path, problems)),
    write: (value) => (value === null ? null : shape.write(value)),
    isZero: (value) => value === null,
    writeSparse: (value) => (value === null ? null : shape.writeSparse(value)),
    schema: nullable(shape.schema),
  }
}

function nullable(schema: JsonSchema): JsonSchema {
  return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema
}

/** A default other than the zero value. */
export function withDefault<T>(shape: Shape<T>, byDefault: T): Shape<T> {
  return {
    ...shape,
    zero: () => byDefault,
    read: (value, path, problems) =>
      value === undefined || value === null ? byDefault : shape.read(value, path, problems),
    schema: { ...shape.schema, default: byDefault },
  }
}

/** One of a closed list of words. */
export function oneOf<const W extends string>(words: readonly W[], byDefault: W): Shape<W> {
  return {
    zero: () => byDefault,
    read(value, path, problems) {
      if (value === undefined || value === null || value === '') return byDefault
      if (words.includes(value as W)) return value as W
      problems.push({
        kind: 'type',
        path: [...path],
        message: `must be one of ${words.map((w) => `"${w}"`).join(', ')}`,
      })
      return byDefault
    },
    write: (value) => value,
    isZero: (value) => value === byDefault,
    writeSparse: (value) => value,
    schema: { type: 'string', enum: words, default: byDefault },
  }
}

/** Reads a document. Use the value only if there is no problem of kind `type`. */
export function readShape<T>(shape: Shape<T>, value: unknown): { value: T; problems: Problem[]; readable: boolean } {
  const problems: Problem[] = []
  const read = shape.read(value, [], problems)
  return { value: read, problems, readable: problems.every((problem) => problem.kind !== 'type') }
}
