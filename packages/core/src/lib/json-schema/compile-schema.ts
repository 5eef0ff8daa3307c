/**
 * A validator for JSON Schema draft 4, with the keywords of draft 6 and 7 that mean the same there (`const`,
 * `contains`, `propertyNames`, `if`, numeric exclusive limits). Own code, because the messages are behaviour that
 * clients parse, and because validators that generate code cost more to start than the gateway itself.
 *
 * A schema becomes a list of checks once; keywords are in `keywords-*.ts`. References stay inside the document:
 * nothing is ever fetched. Patterns are RE2, so that no body can make one run away.
 */
import type { JsonPath } from '../shape/shape.ts'
import { isObject, isOfType, type JsonObject, jsonType } from './json-type.ts'
import { compileAnyKeywords } from './keywords-any.ts'
import { compileArrayKeywords } from './keywords-array.ts'
import { compileNumberKeywords } from './keywords-number.ts'
import { compileObjectKeywords } from './keywords-object.ts'
import { compileStringKeywords } from './keywords-string.ts'
import { resolvePointer } from './resolve-pointer.ts'
import type { SchemaProblem } from './schema-problem.ts'

/** Tells everything that is wrong with a value; empty when it fits. */
export type Validate = (value: unknown) => SchemaProblem[]

/** One thing that a value must be. It adds what it finds wrong to `run`. */
export type Check = (value: unknown, run: Run) => void

/** One validation: where it stands, and what it found. */
export interface Run {
  readonly path: (string | number)[]
  readonly problems: SchemaProblem[]
  /** Schemas entered and not left; bounds schemas that refer to themselves without going on in the value. */
  depth: number
  /** Shared with the trials of alternatives: alternatives within alternatives cost twice as much at each level. */
  readonly work: { left: number }
}

/** What keywords need to compile the schemas in them. */
export interface Compiler {
  /** The check for a schema in this one; `undefined` when it is no schema. */
  sub(schema: unknown): Check | undefined
  /** Problems of the schema itself; they make it unusable. */
  fail(message: string): void
}

/** Schemas in schemas, as deep as the stack of any runtime bears. */
const maxDepth = 500
/** Schemas entered for one value: about a second of work. */
const maxWork = 10_000_000
/** A trial costs more than a check, and trials multiply. */
const trialCost = 20
const tooMuchWork = 'it takes too much work to check this'
/** A body that is wrong in a million places need not have them all told. */
const maxProblems = 100

/** Compiles a schema, or tells why it is none. */
export function compileSchema(
  root: unknown,
): { readonly validate: Validate; readonly problem: undefined } | { readonly problem: string } {
  const compiled = new Map<unknown, { check: Check }>()
  let problem: string | undefined
  const compiler: Compiler = {
    sub: (schema) => compileOne(schema),
    fail(message) {
      problem ??= message
    },
  }

  // The entry is made before the check, so that a schema may contain a reference to itself.
  function compileOne(schema: unknown): Check | undefined {
    if (typeof schema === 'boolean') return schema ? () => {} : (_, run) => report(run, 'False always fails validation')
    if (!isObject(schema)) return undefined
    const known = compiled.get(schema)
    if (known !== undefined) return (value, run) => known.check(value, run)
    const entry = { check: (() => {}) as Check }
    compiled.set(schema, entry)
    const { $ref } = schema
    entry.check = typeof $ref === 'string' ? compileReference($ref) : compileKeywords(schema, compiler)
    return (value, run) => enter(entry.check, value, run)
  }

  function compileReference(reference: string): Check {
    const target = resolvePointer(root, reference)
    const check = target === undefined ? undefined : compileOne(target)
    if (check === undefined) compiler.fail(`the reference ${reference} leads nowhere`)
    return check ?? (() => {})
  }

  const check = compileOne(root)
  if (check === undefined) return { problem: 'is neither an object nor a boolean' }
  if (problem !== undefined) return { problem }
  return {
    problem: undefined,
    validate(value) {
      const run: Run = { path: [], problems: [], depth: 0, work: { left: maxWork } }
      check(value, run)
      if (run.work.left < 0) report(run, tooMuchWork)
      return run.problems
    },
  }
}

function enter(check: Check, value: unknown, run: Run): void {
  if (run.problems.length >= maxProblems) return
  if (--run.work.left < 0) return
  if (++run.depth > maxDepth) report(run, 'the schema nests too deep')
  else check(value, run)
  run.depth--
}

/** A wrong type ends a schema's say about a value: all else would be noise. */
function compileKeywords(schema: JsonObject, compiler: Compiler): Check {
  const types = typesOf(schema, compiler)
  const checks: Check[] = [
    ...compileAnyKeywords(schema, compiler),
    ...compileArrayKeywords(schema, compiler),
    ...compileNumberKeywords(schema, compiler),
    ...compileStringKeywords(schema, compiler),
    ...compileObjectKeywords(schema, compiler),
  ]
  return (value, run) => {
    if (types !== undefined && !types.some((type) => isOfType(value, type))) {
      report(run, `Invalid type. Expected: ${types.join('/')}, given: ${jsonType(value)}`)
      return
    }
    for (const check of checks) check(value, run)
  }
}

function typesOf({ type }: JsonObject, compiler: Compiler): string[] | undefined {
  if (type === undefined) return undefined
  const types = Array.isArray(type) ? type : [type]
  for (const name of types) {
    if (!knownTypes.has(name as string)) compiler.fail(`${JSON.stringify(name)} is no type`)
  }
  return types as string[]
}

const knownTypes: ReadonlySet<string> = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'])

/** Notes that the value at the present place is wrong. */
export function report(run: Run, message: string): void {
  if (run.problems.length < maxProblems) run.problems.push({ path: [...run.path] as JsonPath, message })
}

/** Runs a check on a part of the value. */
export function descend(run: Run, key: string | number, check: Check, value: unknown): void {
  run.path.push(key)
  check(value, run)
  run.path.pop()
}

/** What a check finds wrong, apart from the run it is asked in. */
export function tryCheck(check: Check, value: unknown, run: Run): SchemaProblem[] {
  run.work.left -= trialCost
  const inner: Run = { path: run.path, problems: [], depth: run.depth, work: run.work }
  check(value, inner)
  return inner.problems
}
