/** Keywords about objects: what is wrong with the object itself is told before what is wrong inside. */
import { compileRe2 } from '../regex/re2.ts'
import { type Check, type Compiler, descend, type Run, report, tryCheck } from './compile-schema.ts'
import { isObject, type JsonObject } from './json-type.ts'

type ObjectCheck = (object: JsonObject, run: Run) => void

export function compileObjectKeywords(schema: JsonObject, compiler: Compiler): Check[] {
  const checks: ObjectCheck[] = [...sizes(schema), ...required(schema), ...names(schema, compiler)]
  checks.push(...dependencies(schema, compiler))
  const members = compileMembers(schema, compiler)
  if (members !== undefined) checks.push(members)
  return checks.map((check) => (value, run) => {
    if (isObject(value)) check(value, run)
  })
}

function* sizes({ minProperties, maxProperties }: JsonObject): Generator<ObjectCheck> {
  if (typeof minProperties === 'number') {
    yield (object, run) => {
      if (Object.keys(object).length < minProperties) report(run, `Must have at least ${minProperties} properties`)
    }
  }
  if (typeof maxProperties === 'number') {
    yield (object, run) => {
      if (Object.keys(object).length > maxProperties) report(run, `Must have at most ${maxProperties} properties`)
    }
  }
}

/** Draft 3 wrote `required` as a switch; it says nothing here. */
function* required({ required: names }: JsonObject): Generator<ObjectCheck> {
  if (!Array.isArray(names)) return
  yield (object, run) => {
    for (const name of names as string[]) if (!Object.hasOwn(object, name)) report(run, `${name} is required`)
  }
}

function* names({ propertyNames }: JsonObject, compiler: Compiler): Generator<ObjectCheck> {
  const check = propertyNames === undefined ? undefined : compiler.sub(propertyNames)
  if (check === undefined) return
  yield (object, run) => {
    for (const name of Object.keys(object)) {
      if (tryCheck(check, name, run).length > 0) report(run, `Property name of "${name}" does not match`)
    }
  }
}

function* dependencies({ dependencies: given }: JsonObject, compiler: Compiler): Generator<ObjectCheck> {
  if (!isObject(given)) return
  for (const [name, needed] of Object.entries(given)) {
    const check = Array.isArray(needed) ? undefined : compiler.sub(needed)
    yield (object, run) => {
      if (!Object.hasOwn(object, name)) return
      check?.(object, run)
      if (!Array.isArray(needed)) return
      for (const other of needed as string[]) {
        if (!Object.hasOwn(object, other)) report(run, `Has a dependency on ${other}`)
      }
    }
  }
}

/** `properties`, `patternProperties` and `additionalProperties`, which only mean something together. */
function compileMembers(schema: JsonObject, compiler: Compiler): ObjectCheck | undefined {
  const { properties, patternProperties, additionalProperties } = schema
  const byName = new Map<string, Check>()
  for (const [name, sub] of Object.entries(isObject(properties) ? properties : {})) {
    const check = compiler.sub(sub)
    if (check === undefined) compiler.fail(`the property ${name} must have a schema`)
    else byName.set(name, check)
  }
  const byPattern = compilePatterns(patternProperties, compiler)
  const rest = additionalProperties === undefined ? undefined : compiler.sub(additionalProperties)
  if (byName.size === 0 && byPattern.length === 0 && rest === undefined) return undefined
  return (object, run) => {
    const extra = rest === undefined ? [] : Object.keys(object).filter((name) => isExtra(name, byName, byPattern))
    if (additionalProperties === false) {
      for (const name of extra) report(run, `Additional property ${name} is not allowed`)
    }
    for (const [name, check] of byName) {
      if (Object.hasOwn(object, name)) descend(run, name, check, object[name])
    }
    for (const { test, check } of byPattern) {
      for (const name of Object.keys(object)) if (test(name)) descend(run, name, check, object[name])
    }
    if (rest === undefined || additionalProperties === false) return
    for (const name of extra) descend(run, name, rest, object[name])
  }
}

interface PatternMember {
  readonly test: (name: string) => boolean
  readonly check: Check
}

function compilePatterns(given: unknown, compiler: Compiler): PatternMember[] {
  const members: PatternMember[] = []
  for (const [pattern, schema] of Object.entries(isObject(given) ? given : {})) {
    const compiled = compileRe2(pattern)
    const check = compiler.sub(schema)
    if (compiled.problem !== undefined) compiler.fail(`the pattern ${pattern} is not valid: ${compiled.problem}`)
    else if (check !== undefined) members.push({ test: (name) => compiled.test(name), check })
  }
  return members
}

function isExtra(name: string, byName: ReadonlyMap<string, Check>, byPattern: readonly PatternMember[]): boolean {
  return !byName.has(name) && !byPattern.some(({ test }) => test(name))
}
