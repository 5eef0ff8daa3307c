/** Shapes of objects with known fields: internal names, wire names, omitted fields and unknown fields. */
import { deepFreeze } from './deep-freeze.ts'
import { type JsonPath, type JsonSchema, type Problem, type Shape, wrongType } from './shape-type.ts'
import { isNothing, nearestMissing } from './unknown-value.ts'

/** A field of an object: a shape, or a shape with its own wire name and rules for writing. */
export interface Field<T> {
  readonly shape: Shape<T>
  readonly wireName?: string
  /** `write` omits the field when it is zero, for compatibility with existing files. */
  readonly omitZero?: boolean
}

type FieldOrShape = Field<unknown> | Shape<unknown>
type FieldType<F> = F extends Field<infer T> ? T : F extends Shape<infer T> ? T : never
export type ObjectOf<F> = { -readonly [K in keyof F]: FieldType<F[K]> }

/** A field whose wire name is not derived from its own name, or that `write` omits. */
export function field<T>(shape: Shape<T>, options: Omit<Field<T>, 'shape'>): Field<T> {
  return { shape, ...options }
}

/** A shape with the description that the published JSON Schemas, the TypeScript types and the reference show. */
export function described<S extends { readonly schema: JsonSchema }>(description: string, shape: S): S {
  return { ...shape, schema: { ...shape.schema, description } }
}

export interface ObjectShape<T extends object> extends Shape<T> {
  /** Wire names in the order of the description; for messages and suggestions. */
  readonly wireNames: readonly string[]
}

interface Slot {
  readonly name: string
  readonly wireName: string
  readonly shape: Shape<unknown>
  readonly omitZero: boolean
}

/** An object with known fields. If absent, it is an object of zero values. */
export function object<const F extends Record<string, FieldOrShape>>(fields: F): ObjectShape<ObjectOf<F>> {
  return makeObject(fields, { sharesAbsent: false, camelNames: false })
}

/** Like `object`, for formats whose names are in camel case: wire names are the names of the fields. */
export function camelObject<const F extends Record<string, FieldOrShape>>(fields: F): ObjectShape<ObjectOf<F>> {
  return makeObject(fields, { sharesAbsent: false, camelNames: true })
}

/**
 * Like `object`, for documents that are never changed after reading: all of them share one frozen object per nested
 * object that they do not contain, so that absent parts take no memory.
 */
export function readOnlyObject<const F extends Record<string, FieldOrShape>>(fields: F): ObjectShape<ObjectOf<F>> {
  return makeObject(fields, { sharesAbsent: true, camelNames: false })
}

function makeObject<const F extends Record<string, FieldOrShape>>(
  fields: F,
  { sharesAbsent, camelNames }: { readonly sharesAbsent: boolean; readonly camelNames: boolean },
): ObjectShape<ObjectOf<F>> {
  type T = ObjectOf<F>
  const slots = Object.entries(fields).map(([name, given]) => slotOf(name, given, camelNames))
  const byWireName = new Map(slots.map((slot) => [slot.wireName, slot]))
  const byLowerName = new Map(slots.map((slot) => [slot.wireName.toLowerCase(), slot]))
  const known = new Set(byWireName.keys())
  // V8 stores an object built field by field as a dictionary if it has many fields: three times the size, and slow to
  // copy. A copy of a template object avoids that, so every zero value is such a copy with new nested objects. The copies
  // are made by `Object.assign`, because frozen ones would each have a hidden class otherwise (docs/profiling.md).
  const template: Record<string, unknown> = {
    ...Object.fromEntries(slots.map((slot) => [slot.name, slot.shape.zero()])),
  }
  const nested = slots.filter((slot) => typeof template[slot.name] === 'object' && template[slot.name] !== null)
  const zero = (): T => {
    const out = Object.assign({}, template)
    for (const slot of nested) out[slot.name] = slot.shape.zero()
    return out as T
  }
  const shared: Record<string, unknown> = { ...template }
  for (const slot of nested) shared[slot.name] = deepFreeze(slot.shape.zero())
  const entriesOf = (value: T) => value as Record<string, unknown>
  return {
    zero,
    read(value, path, problems) {
      if (value === undefined || value === null) return zero()
      if (typeof value !== 'object' || Array.isArray(value)) {
        wrongType('an object', value, path, problems)
        return zero()
      }
      const given = value as Record<string, unknown>
      const out = sharesAbsent ? Object.assign({}, shared) : (zero() as Record<string, unknown>)
      for (const name of Object.keys(given)) {
        const slot = byWireName.get(name) ?? looseMatch(name)
        if (slot === undefined && name === '$schema' && path.length === 0) continue
        if (slot === undefined) problems.push(unknownField(name, [...path, name], known, given))
        else out[slot.name] = slot.shape.read(given[name], [...path, name], problems)
      }
      return out as T

      // An exact name takes precedence over one that differs only in case, in any order.
      function looseMatch(name: string): Slot | undefined {
        const slot = byLowerName.get(name.toLowerCase())
        return slot !== undefined && !Object.hasOwn(given, slot.wireName) ? slot : undefined
      }
    },
    write(value) {
      const out: Record<string, unknown> = {}
      for (const slot of slots) {
        const held = entriesOf(value)[slot.name]
        if (slot.omitZero && slot.shape.isZero(held)) continue
        out[slot.wireName] = slot.shape.write(held)
      }
      return out
    },
    isZero: (value) => slots.every((slot) => slot.shape.isZero(entriesOf(value)[slot.name])),
    writeSparse(value) {
      const out: Record<string, unknown> = {}
      for (const slot of slots) {
        const held = entriesOf(value)[slot.name]
        if (!slot.shape.isZero(held)) out[slot.wireName] = slot.shape.writeSparse(held)
      }
      return out
    },
    wireNames: slots.map((slot) => slot.wireName),
    schema: { type: 'object', properties: Object.fromEntries(slots.map((slot) => [slot.wireName, slot.shape.schema])) },
  }
}

function slotOf(name: string, given: FieldOrShape, camelNames: boolean): Slot {
  const it: Field<unknown> = 'shape' in given ? given : { shape: given }
  const wireName = it.wireName ?? (camelNames ? name : toSnakeCase(name))
  return { name, wireName, shape: it.shape, omitZero: it.omitZero ?? false }
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The suggestion and what the value says are computed on demand, because loading ignores unknown fields and does not need them. */
function unknownField(
  name: string,
  path: JsonPath,
  known: ReadonlySet<string>,
  given: Readonly<Record<string, unknown>>,
): Problem {
  return {
    kind: 'unknown',
    path,
    message: 'is not a known field',
    get suggestion() {
      return nearestMissing(name, known, given)
    },
    get isEmpty() {
      return isNothing(given[name])
    },
  }
}
