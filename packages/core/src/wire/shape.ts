/**
 * Shapes: one description of a JSON document from which come its type, its reading, its writing, its defaults and
 * its JSON Schema. Definitions, sessions, policies and the configuration are all described this way, so that a
 * field is named once.
 *
 * Reading follows the encoding that existing files and clients rely on: `null` means absent, absent means the zero
 * value (`""`, 0, false, no list), unknown fields are passed over, a wrong JSON type makes the document unreadable,
 * and field names match without case when they do not match exactly.
 *
 * Inside, fields have camelCase names; the wire name is derived (`quotaMax` ↔ `quota_max`) unless given.
 */
export type JsonPath = readonly (string | number)[]

/** What reading found wrong, and where. */
export interface Problem {
  /** `type`: the document is unreadable. `unknown`: a field that nobody reads; `suggestion` is the nearest known one. */
  readonly kind: 'type' | 'unknown'
  readonly path: JsonPath
  readonly message: string
  readonly suggestion?: string | undefined
}

export interface Shape<T> {
  /** A fresh zero value: what an absent field means. */
  zero(): T
  read(value: unknown, path: JsonPath, problems: Problem[]): T
  /** The value as JSON, every field present. */
  write(value: T): unknown
  /** Whether `write` would give a zero: `""`, 0, false, null, or nothing but zeros. */
  isZero(value: T): boolean
  /** The value as JSON without zero fields. */
  writeSparse(value: T): unknown
  readonly schema: JsonSchema
}

/** The part of JSON Schema 2020-12 that shapes use. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
}

/**
 * Levels below which a free value may not nest. Nobody writes such a document by hand; writing it back or freezing it
 * would overflow the stack.
 */
const maxFreeDepth = 200

/** The TypeScript type that a shape reads to. */
export type Of<S> = S extends Shape<infer T> ? T : never

function wrongType(expected: string, value: unknown, path: JsonPath, problems: Problem[]): void {
  problems.push({ kind: 'type', path: [...path], message: `must be ${expected}, is ${nameOfType(value)}` })
}

function nameOfType(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (value === null) return 'null'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'boolean') return `the boolean ${String(value)}`
  return `the number ${String(value)}`
}

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
export const number: Shape<number> = scalar<number>(0, 'a number', 'number', (v) => typeof v === 'number')
/** Up to 64 bits, as existing files have them; beyond 2^53 the last digits are lost. */
export const integer: Shape<number> = scalar<number>(0, 'a whole number', 'integer', isInt64)
export const boolean: Shape<boolean> = scalar<boolean>(false, 'true or false', 'boolean', (v) => typeof v === 'boolean')

function isInt64(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= 2 ** 63
}

/** Anything: kept as it came, but for `__proto__` names; null when absent or nested too deep. */
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

/** Takes `__proto__` names off, level by level and without recursion. False: it nests too deep. */
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

/** An object with free names, `null` when absent. Has no prototype, so that no name is special. */
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
        // Harmless here, but not in the hands of whoever copies it with Object.assign.
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

/** `null` when absent, where the plain shape would give its zero value. */
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

/** Another default than the zero value, where the product document names one. */
export function withDefault<T>(shape: Shape<T>, byDefault: T): Shape<T> {
  return {
    ...shape,
    zero: () => byDefault,
    read: (value, path, problems) =>
      value === undefined || value === null ? byDefault : shape.read(value, path, problems),
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
    schema: { type: 'string', enum: words },
  }
}

/** A field of an object: a shape, or a shape with a wire name of its own and rules for writing. */
export interface Field<T> {
  readonly shape: Shape<T>
  readonly wireName?: string
  /** Left out by `write` when zero, as the recorded gateway does for a few fields. */
  readonly omitZero?: boolean
  readonly description?: string
}

type FieldOrShape = Field<unknown> | Shape<unknown>
type FieldType<F> = F extends Field<infer T> ? T : F extends Shape<infer T> ? T : never
export type ObjectOf<F> = { -readonly [K in keyof F]: FieldType<F[K]> }

/** A field with a wire name that does not follow from its own, or with a note for the documentation. */
export function field<T>(shape: Shape<T>, options: Omit<Field<T>, 'shape'>): Field<T> {
  return { shape, ...options }
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

/** An object with known fields. Absent, it is an object of zero values. */
export function object<const F extends Record<string, FieldOrShape>>(fields: F): ObjectShape<ObjectOf<F>> {
  type T = ObjectOf<F>
  const slots = Object.entries(fields).map(([name, given]) => slotOf(name, given))
  const byWireName = new Map(slots.map((slot) => [slot.wireName, slot]))
  const byLowerName = new Map(slots.map((slot) => [slot.wireName.toLowerCase(), slot]))
  const known = new Set(byWireName.keys())
  const zero = (): T => {
    const out: Record<string, unknown> = {}
    for (const slot of slots) out[slot.name] = slot.shape.zero()
    return out as T
  }
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
      const out = zero() as Record<string, unknown>
      for (const name of Object.keys(given)) {
        const slot = byWireName.get(name) ?? looseMatch(name)
        if (slot === undefined) problems.push(unknownField(name, [...path, name], known))
        else out[slot.name] = slot.shape.read(given[name], [...path, name], problems)
      }
      return out as T

      // An exact name wins over one that differs in case only, wherever it stands.
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
    schema: { type: 'object', properties: schemaOf(fields, slots) },
  }
}

function slotOf(name: string, given: FieldOrShape): Slot {
  const it: Field<unknown> = 'shape' in given ? given : { shape: given }
  return { name, wireName: it.wireName ?? toSnakeCase(name), shape: it.shape, omitZero: it.omitZero ?? false }
}

function schemaOf(fields: Record<string, FieldOrShape>, slots: readonly Slot[]): Record<string, JsonSchema> {
  const properties: Record<string, JsonSchema> = {}
  for (const slot of slots) {
    const given = fields[slot.name] as FieldOrShape
    const note = 'shape' in given ? given.description : undefined
    properties[slot.wireName] = note === undefined ? slot.shape.schema : { ...slot.shape.schema, description: note }
  }
  return properties
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The suggestion is searched only when somebody asks: loading passes unknown fields over and need not pay for it. */
function unknownField(name: string, path: JsonPath, known: ReadonlySet<string>): Problem {
  return {
    kind: 'unknown',
    path,
    message: 'is not a known field',
    get suggestion() {
      return nearestName(name, known)
    },
  }
}

/** The known name with the fewest edits, when it is near enough to be a slip of the hand. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Levenshtein distance: insertions, deletions and replacements of one character. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, replace))
    }
    previous = row
  }
  return previous[b.length] as number
}

/** Reads a document; the value is only to be used when no problem of kind `type` was found. */
export function readShape<T>(shape: Shape<T>, value: unknown): { value: T; problems: Problem[]; readable: boolean } {
  const problems: Problem[] = []
  const read = shape.read(value, [], problems)
  return { value: read, problems, readable: problems.every((problem) => problem.kind !== 'type') }
}
