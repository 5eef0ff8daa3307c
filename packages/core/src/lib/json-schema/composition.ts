/**
 * Keywords implemented here instead of in ajv; `prepare-schema.ts` writes them. Keywords that combine schemas run each
 * sub-schema alone and report its failures separately, because ajv puts the failures of all sub-schemas into one list.
 */
import type { Ajv, KeywordCxt } from 'ajv'
import { foldedName, foldsToOneOf } from '../text/folded-name.ts'
import { canonicalJson, isObject, isSameJson } from './json-type.ts'
import type { Dialect, SchemaError } from './schema.ts'
import { TooManyErrors, type WorkLimit } from './work-limit.ts'

/** The part of ajv used here. ajv itself is loaded lazily. */
export type AjvModule = Pick<typeof import('ajv'), 'Ajv' | '_' | 'Name'>
type SubSchema = { readonly via?: string; readonly never?: string }
type Found = Pick<SchemaError, 'keyword' | 'params' | 'branches'>

/** Returns the failures of a value; an empty list means that it is valid. */
type Check = (value: unknown, path: string) => readonly SchemaError[]
/** The same for one keyword. */
type KeywordCheck = (value: unknown, path: string) => readonly Found[]

export function addKeywords(ajv: Ajv, { _, Name }: AjvModule, limit: WorkLimit, { arrange }: Dialect): void {
  ajv.addKeyword({
    keyword: 'enter',
    code({ gen }: KeywordCxt) {
      const enter = gen.scopeValue('func', { ref: limit.enter })
      gen.code(_`${enter}(${new Name('errors')}, ${new Name('vErrors')})`)
    },
  })
  ajv.addKeyword({ keyword: 'via', errors: 'full', compile: (name: string) => asReference(ajv, name, limit) })
  for (const [keyword, make] of Object.entries(keywords)) {
    const check = (sub: SubSchema) => makeCheck(ajv, sub, arrange, limit)
    ajv.addKeyword({
      keyword,
      errors: 'full',
      compile: (schema, parentSchema) => asFunction(make(schema as never, check), schema, parentSchema),
    })
  }
}

const keywords: Readonly<Record<string, (schema: never, check: (sub: SubSchema) => Check) => KeywordCheck>> = {
  never: (reason: string) => () => [{ keyword: 'never', params: { reason } }],
  // The comparison in ajv calls the `toString` member of objects that have one.
  equals: (wanted: { readonly value: unknown }) => (value) =>
    isSameJson(value, wanted.value) ? [] : [{ keyword: 'const', params: {} }],
  among: (values: unknown[]) => (value) =>
    values.some((one) => isSameJson(one, value)) ? [] : [{ keyword: 'enum', params: {} }],
  multiple: (of: number) => (value) =>
    typeof value !== 'number' || isMultiple(value, of) ? [] : [{ keyword: 'multipleOf', params: {} }],
  unique: () => (list) => (Array.isArray(list) ? duplicate(list) : []),
  any: (subs: SubSchema[], check) => anyOf(subs.map(check)),
  one: (subs: SubSchema[], check) => oneOf(subs.map(check)),
  all: (subs: SubSchema[], check) => allOf(subs.map(check)),
  when: (subs: SubSchema[], check) => condition(subs.map(check)),
  none(sub: SubSchema, check) {
    const run = check(sub)
    return (value, path) => (run(value, path).length === 0 ? [{ keyword: 'not', params: {} }] : [])
  },
  some(sub: SubSchema, check) {
    const run = check(sub)
    return (list, path) =>
      !Array.isArray(list) || list.some((item) => run(item, path).length === 0)
        ? []
        : [{ keyword: 'contains', params: {} }]
  },
  names(sub: SubSchema, check) {
    const run = check(sub)
    return (value, path) => {
      const names = isObject(value) ? Object.keys(value) : []
      const wrong = names.filter((name) => run(name, path).length > 0)
      return wrong.map((name) => ({ keyword: 'propertyNames', params: { name } }))
    }
  },
  forbidden: (names: string[]) => (value) =>
    names
      .filter((name) => isObject(value) && Object.hasOwn(value, name))
      .map((name) => ({ keyword: 'forbidden', params: { name } })),
  lookalikes(names: string[]) {
    const find = lookalikeFinder(names)
    return (value) => find(value).map(([name, known]) => ({ keyword: 'lookalike', params: { name, known } }))
  },
  choose: ({ property, schemas, otherwise, plain }: Choose, check) =>
    choose(property, new Map([...schemas].map(([value, sub]) => [value, check(sub)])), {
      otherwise: otherwise && check(otherwise),
      plain: check(plain),
    }),
}

/** Finds members that a reader that folds case could take for one of the names, with that name. */
function lookalikeFinder(names: readonly string[]): (value: unknown) => readonly (readonly [string, string])[] {
  const known = new Set(names)
  const byFolded = new Map(names.map((name) => [foldedName(name), name]))
  const folded = new Set(byFolded.keys())
  return (value) =>
    Object.keys(isObject(value) ? value : {})
      .filter((name) => !known.has(name) && foldsToOneOf(name, folded))
      .map((name) => [name, byFolded.get(foldedName(name)) ?? ''])
}

/** A `Choice` whose schemas are prepared. */
interface Choose {
  readonly property: string
  readonly schemas: ReadonlyMap<string, SubSchema>
  readonly otherwise: SubSchema | undefined
  readonly plain: SubSchema
}

function choose(
  property: string,
  checks: ReadonlyMap<string, Check>,
  { otherwise, plain }: { readonly otherwise: Check | undefined; readonly plain: Check },
): KeywordCheck {
  const failure = (problem: string) => [{ keyword: 'choose', params: { property, problem } }]
  return (value, path) => {
    const chosen = isObject(value) ? value[property] : undefined
    if (isObject(value) && !Object.hasOwn(value, property)) return failure('missing')
    if (isObject(value) && typeof chosen !== 'string') return failure('type')
    const check = isObject(value) ? (checks.get(String(chosen)) ?? otherwise) : plain
    if (check === undefined) return failure('unknown')
    const errors = check(value, path)
    return errors.length === 0 ? [] : [{ keyword: 'choose', params: { property }, branches: [errors] }]
  }
}

function anyOf(checks: readonly Check[]): KeywordCheck {
  return (value, path) => {
    const branches: (readonly SchemaError[])[] = []
    for (const check of checks) {
      const errors = check(value, path)
      if (errors.length === 0) return []
      branches.push(errors)
    }
    return [{ keyword: 'anyOf', params: {}, branches }]
  }
}

function oneOf(checks: readonly Check[]): KeywordCheck {
  return (value, path) => {
    const branches = checks.map((check) => check(value, path))
    const matches = branches.filter((errors) => errors.length === 0).length
    return matches === 1 ? [] : [{ keyword: 'oneOf', params: { matches }, branches }]
  }
}

function allOf(checks: readonly Check[]): KeywordCheck {
  return (value, path) => {
    const branches = checks.map((check) => check(value, path)).filter((errors) => errors.length > 0)
    return branches.length === 0 ? [] : [{ keyword: 'allOf', params: {}, branches }]
  }
}

function condition([test, onTrue, onFalse]: readonly Check[]): KeywordCheck {
  return (value, path) => {
    const holds = test?.(value, path).length === 0
    const errors = (holds ? onTrue : onFalse)?.(value, path) ?? []
    return errors.length === 0 ? [] : [{ keyword: 'if', params: { holds }, branches: [errors] }]
  }
}

/** 0.3 is a multiple of 0.1 although their doubles are not: rounding may keep the quotient from being an integer. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 4 * Number.EPSILON
}

/** Compares serialized values in a set, because ajv compares every pair of items. */
function duplicate(list: readonly unknown[]): readonly Found[] {
  const places = new Map<string, number>()
  for (const [second, item] of list.entries()) {
    const text = canonicalJson(item)
    const first = places.get(text)
    if (first !== undefined) return [{ keyword: 'uniqueItems', params: { first, second } }]
    places.set(text, second)
  }
  return []
}

/** Runs a sub-schema. */
function makeCheck(ajv: Ajv, { via, never }: SubSchema, arrange: Dialect['arrange'], limit: WorkLimit): Check {
  if (via === undefined) {
    if (never === undefined) return () => []
    return (_, instancePath) => [{ keyword: 'never', instancePath, params: { reason: never } }]
  }
  const arranged = `${via} arranged`
  return (value, path) =>
    limit.remember(arranged, value, () => arrange(withoutReferences(runNamed(ajv, via, value, path, limit))))
}

/** Runs a named schema. ajv compiles it at its first use, so schemas may refer to themselves. */
function runNamed(ajv: Ajv, name: string, value: unknown, instancePath: string, limit: WorkLimit) {
  return limit.remember(name, value, () => {
    const validate = ajv.getSchema(name)
    if (validate === undefined) throw new Error(`the schema ${name} is missing`)
    try {
      const context = { instancePath, parentData: {}, parentDataProperty: '', rootData: {}, dynamicAnchors: {} }
      return validate.call(ajv, value, context) ? [] : ((validate.errors ?? []) as readonly SchemaError[])
    } catch (error) {
      if (error instanceof TooManyErrors) return error.errors
      throw error
    }
  })
}

/** A reference to a named schema. ajv changes the failures that it gets, so they are in a failure of the reference. */
function asReference(ajv: Ajv, name: string, limit: WorkLimit) {
  const run = Object.assign(
    (value: unknown, context?: { readonly instancePath: string }): boolean => {
      const found = runNamed(ajv, name, value, context?.instancePath ?? '', limit)
      run.errors = [{ keyword: 'via', branches: [found] }]
      return found.length === 0
    },
    { errors: [] as unknown[] },
  )
  return run as never
}

/** Returns the failures with those that references found in place of the references. */
export function withoutReferences(errors: readonly SchemaError[]): readonly SchemaError[] {
  if (!errors.some(({ keyword }) => keyword === 'via')) return errors
  return errors.flatMap((error) => (error.keyword === 'via' ? withoutReferences(error.branches?.[0] ?? []) : error))
}

/** ajv reads failures from a property of the function. */
function asFunction(check: KeywordCheck, schema: unknown, parentSchema: unknown) {
  const run = Object.assign(
    (value: unknown, context?: { readonly instancePath: string }): boolean => {
      const instancePath = context?.instancePath ?? ''
      const found = check(value, instancePath)
      run.errors = found.map((one) => ({ ...one, instancePath, schema, parentSchema, data: value, schemaPath: '' }))
      return found.length === 0
    },
    { errors: [] as unknown[] },
  )
  return run as never
}

/** If the type is wrong, other failures of the same schema are omitted because they would only confuse. */
export function withoutNoise(errors: readonly SchemaError[]): readonly SchemaError[] {
  const wrongTypes = errors.filter(({ keyword }) => keyword === 'type')
  if (wrongTypes.length === 0) return errors
  const places = new Map<unknown, Set<string>>()
  for (const { parentSchema, instancePath } of wrongTypes) {
    const paths = places.get(parentSchema)
    if (paths === undefined) places.set(parentSchema, new Set([instancePath]))
    else paths.add(instancePath)
  }
  return errors.filter(
    ({ keyword, parentSchema, instancePath }) =>
      keyword === 'type' || places.get(parentSchema)?.has(instancePath) !== true,
  )
}
