/**
 * Rewrites a JSON Schema of draft 4, 6 or 7 for ajv: only known keywords remain, exclusive limits are numbers, and
 * references become names. Sub-schemas that may fail without failing the whole (`anyOf`, `not` and others) become
 * named schemas too, so that `composition.ts` can run each of them alone.
 */
import { compileRe2 } from '../regex/re2.ts'
import { isObject, type JsonObject } from './json-type.ts'
import { resolvePointer } from './resolve-pointer.ts'
import type { AjvSchema, Dialect, SchemaExtras } from './schema.ts'
import { copyNumbers, holderIn, isLarge, isNumber, isSchema, isText, never, numberKeywords } from './schema-parts.ts'

const typeNames: ReadonlySet<unknown> = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'])

/** Maximum number of references to references. */
const maxHops = 20

/** Prepares schemas of one document. They share the schemas that they refer to. */
export class SchemaPreparer {
  /** The prepared schemas, by name. */
  readonly schemas = new Map<string, AjvSchema>()
  /** Why a schema is invalid; `undefined` if all are valid. Invalid parts accept no value. */
  problem: string | undefined
  readonly #document: unknown
  readonly #dialect: Dialect
  readonly #names = new Map<unknown, string>()
  /** Member schemas are prepared after all schemas for the same value are named, so that `#isLoop` sees each cycle. */
  readonly #waiting: (() => void)[] = []
  #failures = 0

  constructor(document: unknown, dialect: Dialect) {
    this.#document = document
    this.#dialect = dialect
  }

  /** Returns the name of the prepared schema. */
  add(schema: unknown): string {
    if (!isSchema(schema)) this.#fail('is neither an object nor a boolean')
    const name = this.#name(isSchema(schema) ? schema : false, [])
    // The list may grow during this loop.
    for (const next of this.#waiting) next()
    this.#waiting.length = 0
    return name
  }

  #fail(message: string): void {
    this.#failures++
    this.problem ??= message
  }

  /** Fails unless the value is missing or passes the test. YAML turns a keyword without a value into null. */
  #expect(schema: JsonObject, keyword: string, test: (value: unknown) => boolean, expected: string): void {
    const value = schema[keyword]
    if (value !== undefined && value !== null && !test(value)) this.#fail(`${keyword} must be ${expected}`)
  }

  /** Names a schema. `open` has the named schemas that check the same value and contain this one. */
  #name(schema: JsonObject | boolean, open: readonly string[]): string {
    const known = this.#names.get(schema)
    if (known !== undefined) return known
    const name = `s${this.schemas.size}`
    this.#names.set(schema, name)
    this.schemas.set(name, {})
    this.schemas.set(name, this.#prepare(schema, [...open, name]))
    return name
  }

  /** A schema for the same value as the schema that contains it. */
  #inPlace(given: unknown, open: readonly string[], problem: string): AjvSchema {
    const schema = this.#targetOf(given)
    if (!isSchema(schema)) {
      this.#fail(problem)
      return never('invalid')
    }
    const name = this.#name(schema, open)
    return open.includes(name) ? never('loop') : { enter: true, via: name }
  }

  /** Follows references to other references, so that each takes one step of a validation less. */
  #targetOf(given: unknown): unknown {
    let schema = given
    for (let hops = 0; hops < maxHops && isObject(schema); hops++) {
      const { $ref } = this.#dialect.adapt(schema)
      const target = typeof $ref === 'string' ? resolvePointer(this.#document, $ref) : undefined
      if (!isSchema(target)) break
      schema = target
    }
    return schema
  }

  /** A schema for a member of the value: stored in `holder` later. */
  #member(holder: Record<string, unknown> | unknown[], key: string | number, schema: unknown): void {
    const put = (value: unknown) =>
      Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true })
    put(never('invalid'))
    this.#waiting.push(() => {
      if (isLarge(schema)) put(this.#inPlace(schema, [], ''))
      else put(isSchema(schema) ? this.#prepare(schema, []) : never('invalid'))
    })
  }

  /** A named schema for other values than the schema that contains it. */
  #nameLater(holder: AjvSchema, keyword: string, schema: unknown): void {
    if (!isSchema(schema)) return
    this.#waiting.push(() => {
      holder[keyword] = { via: this.#name(schema, []) }
    })
  }

  #prepare(schema: JsonObject | boolean, open: readonly string[]): AjvSchema {
    if (typeof schema === 'boolean') return schema ? {} : never('false')
    const adapted = this.#dialect.adapt(schema)
    const { $ref } = adapted
    if (typeof $ref === 'string') {
      return this.#inPlace(resolvePointer(this.#document, $ref), open, `the reference ${$ref} leads nowhere`)
    }
    const types = this.#types(adapted)
    const failuresBefore = this.#failures
    this.#expectForms(adapted)
    const isImpossible = types?.length === 0 || (Array.isArray(adapted['enum']) && adapted['enum'].length === 0)
    const prepared: AjvSchema = { enter: true, ...(types && { type: types }) }
    this.#values(adapted, prepared)
    this.#numbers(adapted, prepared)
    this.#strings(adapted, prepared)
    this.#lists(adapted, prepared)
    this.#objects(adapted, prepared)
    // Without the keyword that is invalid, the schema would accept values that its author wants to reject.
    const isInvalid = this.#failures > failuresBefore
    const extras = this.#dialect.extrasOf?.(adapted)
    this.#compositions(adapted, prepared, open, extras?.choice?.replaces)
    if (extras !== undefined) this.#extras(extras, prepared, open)
    if (isInvalid) return never('invalid')
    return isImpossible ? never('false') : prepared
  }

  #expectForms(schema: JsonObject): void {
    for (const keyword of numberKeywords) this.#expect(schema, keyword, isNumber, 'a number')
    for (const keyword of ['pattern', 'format']) this.#expect(schema, keyword, isText, 'a text')
    for (const keyword of ['properties', 'patternProperties', 'dependencies'])
      this.#expect(schema, keyword, isObject, 'an object')
    for (const keyword of [
      'additionalItems',
      'additionalProperties',
      'contains',
      'propertyNames',
      'if',
      'then',
      'else',
    ])
      this.#expect(schema, keyword, isSchema, 'a schema')
    this.#expect(schema, 'uniqueItems', (value) => typeof value === 'boolean', 'true or false')
    const isRequired = (value: unknown) => typeof value === 'boolean' || (Array.isArray(value) && value.every(isText))
    this.#expect(schema, 'required', isRequired, 'a list of names')
    if (Array.isArray(schema['items']) && !schema['items'].every(isSchema)) this.#fail('items must be schemas')
  }

  #types({ type }: JsonObject): unknown[] | undefined {
    if (type === undefined) return undefined
    const types = Array.isArray(type) ? type : [type]
    const unknown = types.find((name) => !typeNames.has(name))
    if (unknown !== undefined) this.#fail(`${JSON.stringify(unknown)} is no type`)
    return types.filter((name) => typeNames.has(name))
  }

  #values(schema: JsonObject, prepared: AjvSchema): void {
    if (Object.hasOwn(schema, 'const')) prepared['equals'] = { value: schema['const'] }
    if (Array.isArray(schema['enum'])) prepared['among'] = schema['enum']
    else if (schema['enum'] !== undefined) this.#fail('enum must be a list')
  }

  /** In draft 4 an exclusive limit is a boolean beside the limit, in later drafts a limit. */
  #numbers(schema: JsonObject, prepared: AjvSchema): void {
    const multipleOf = schema['multipleOf']
    if (typeof multipleOf === 'number' && multipleOf > 0) prepared['multiple'] = multipleOf
    else if (typeof multipleOf === 'number') this.#fail('multipleOf must be above 0')
    else if (multipleOf !== undefined) this.#fail('multipleOf must be a number')
    for (const [limit, exclusive] of [
      ['maximum', 'exclusiveMaximum'],
      ['minimum', 'exclusiveMinimum'],
    ] as const) {
      for (const keyword of [limit, exclusive]) {
        if (typeof schema[keyword] === 'number') prepared[keyword] = schema[keyword]
        else if (schema[keyword] !== undefined && typeof schema[keyword] !== 'boolean') {
          this.#fail(`${keyword} must be a number`)
        }
      }
      if (schema[exclusive] !== true || prepared[limit] === undefined) continue
      prepared[exclusive] = prepared[limit]
      delete prepared[limit]
    }
  }

  #strings(schema: JsonObject, prepared: AjvSchema): void {
    const { pattern, format } = schema
    copyNumbers(schema, prepared, ['minLength', 'maxLength'])
    if (typeof pattern === 'string') {
      this.#checkPattern(pattern)
      prepared['pattern'] = pattern
    }
    // An unknown format accepts every text (JSON Schema validation, draft 4, section 7.1).
    if (typeof format === 'string' && Object.hasOwn(this.#dialect.formats, format)) prepared['format'] = format
  }

  #checkPattern(pattern: string): boolean {
    const { problem } = compileRe2(pattern)
    if (problem !== undefined) this.#fail(`the pattern ${pattern} is not valid: ${problem}`)
    return problem === undefined
  }

  #lists(schema: JsonObject, prepared: AjvSchema): void {
    const { items, additionalItems } = schema
    copyNumbers(schema, prepared, ['minItems', 'maxItems'])
    if (schema['uniqueItems'] === true) prepared['unique'] = true
    this.#nameLater(prepared, 'some', schema['contains'])
    if (items === undefined) return
    if (!Array.isArray(items)) {
      if (!isSchema(items)) this.#fail('items must be a schema or a list of schemas')
      this.#member(prepared, 'items', items)
      return
    }
    const places: unknown[] = []
    for (const [i, item] of items.entries()) this.#member(places, i, isSchema(item) ? item : true)
    prepared['items'] = places
    if (additionalItems === false) prepared['additionalItems'] = false
    else if (isSchema(additionalItems)) this.#member(prepared, 'additionalItems', additionalItems)
  }

  #objects(schema: JsonObject, prepared: AjvSchema): void {
    const { required, properties, patternProperties, additionalProperties, propertyNames } = schema
    copyNumbers(schema, prepared, ['minProperties', 'maxProperties'])
    // In draft 3 `required` is a boolean, which means nothing in later drafts.
    if (Array.isArray(required)) prepared['required'] = required.filter((name) => typeof name === 'string')
    this.#nameLater(prepared, 'names', propertyNames)
    if (isObject(properties) && this.#dialect.rejectsLookalikes === true)
      prepared['lookalikes'] = Object.keys(properties)
    if (isObject(properties)) {
      const members = holderIn(prepared, 'properties')
      for (const [name, sub] of Object.entries(properties)) {
        if (!isSchema(sub)) this.#fail(`the property ${name} must have a schema`)
        this.#member(members, name, sub)
      }
    }
    if (isObject(patternProperties)) {
      const members = holderIn(prepared, 'patternProperties')
      for (const [pattern, sub] of Object.entries(patternProperties)) {
        if (this.#checkPattern(pattern) && isSchema(sub)) this.#member(members, pattern, sub)
      }
    }
    if (additionalProperties === false) prepared['additionalProperties'] = false
    else if (isSchema(additionalProperties)) this.#member(prepared, 'additionalProperties', additionalProperties)
  }

  /** Keywords whose sub-schemas check the same value, except `replaced`. */
  #compositions(schema: JsonObject, prepared: AjvSchema, open: readonly string[], replaced?: string): void {
    for (const [keyword, own] of [
      ['anyOf', 'any'],
      ['oneOf', 'one'],
      ['allOf', 'all'],
    ] as const) {
      const list = schema[keyword]
      if (list === undefined || keyword === replaced) continue
      const problem = `${keyword} must be a list of schemas`
      if (!Array.isArray(list) || list.length === 0) this.#fail(problem)
      else prepared[own] = list.map((sub) => this.#inPlace(sub, open, problem))
    }
    if (schema['not'] !== undefined) prepared['none'] = this.#inPlace(schema['not'], open, 'not must be a schema')
    const [condition, onTrue, onFalse] = ['if', 'then', 'else'].map((keyword) => schema[keyword])
    if (isSchema(condition)) {
      const branch = (sub: unknown) => (isSchema(sub) ? this.#inPlace(sub, open, '') : {})
      prepared['when'] = [this.#inPlace(condition, open, ''), branch(onTrue), branch(onFalse)]
    }
    this.#dependencies(schema, prepared, open)
  }

  #extras({ forbidden, choice }: SchemaExtras, prepared: AjvSchema, open: readonly string[]): void {
    if (forbidden.length > 0) prepared['forbidden'] = forbidden
    if (choice === undefined) return
    const { property, schemas, otherwise, plain } = choice
    const branch = (sub: unknown) => this.#inPlace(sub, open, `the discriminator ${property} names a missing schema`)
    prepared['choose'] = {
      property,
      schemas: new Map([...schemas].map(([value, sub]) => [value, branch(sub)])),
      otherwise: otherwise === undefined ? undefined : branch(otherwise),
      plain: branch(plain),
    }
  }

  #dependencies({ dependencies }: JsonObject, prepared: AjvSchema, open: readonly string[]): void {
    if (!isObject(dependencies)) return
    const needed = holderIn(prepared, 'dependencies')
    for (const [name, dependency] of Object.entries(dependencies)) {
      if (Array.isArray(dependency)) needed[name] = dependency.filter((other) => typeof other === 'string')
      else if (isSchema(dependency)) needed[name] = this.#inPlace(dependency, open, '')
    }
  }
}
