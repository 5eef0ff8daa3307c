/** Keywords that speak of values of every type: alternatives, conditions, fixed values. */
import { type Check, type Compiler, report, tryCheck } from './compile-schema.ts'
import { isSameJson, type JsonObject } from './json-type.ts'
import { fieldOf, type SchemaProblem } from './schema-problem.ts'

export function compileAnyKeywords(schema: JsonObject, compiler: Compiler): Check[] {
  return [
    anyOf(schema, compiler),
    oneOf(schema, compiler),
    allOf(schema, compiler),
    not(schema, compiler),
    condition(schema, compiler),
    fixed(schema),
    oneOfValues(schema, compiler),
  ].filter((check) => check !== undefined)
}

function subSchemas(list: unknown, keyword: string, compiler: Compiler): Check[] | undefined {
  if (list === undefined) return undefined
  const checks = Array.isArray(list) ? list.map((schema) => compiler.sub(schema)) : []
  if (checks.length === 0 || checks.includes(undefined)) compiler.fail(`${keyword} must be a list of schemas`)
  return checks.filter((check) => check !== undefined)
}

/** What the alternative that came nearest has against the value. */
function nearest(found: readonly SchemaProblem[][]): SchemaProblem[] {
  return found.reduce((best, problems) => (problems.length < best.length ? problems : best), found[0] ?? [])
}

function anyOf({ anyOf: list }: JsonObject, compiler: Compiler): Check | undefined {
  const checks = subSchemas(list, 'anyOf', compiler)
  if (checks === undefined) return undefined
  return (value, run) => {
    const found: SchemaProblem[][] = []
    for (const check of checks) {
      const problems = tryCheck(check, value, run)
      if (problems.length === 0) return
      found.push(problems)
    }
    report(run, 'Must validate at least one schema (anyOf)')
    run.problems.push(...nearest(found))
  }
}

function oneOf({ oneOf: list }: JsonObject, compiler: Compiler): Check | undefined {
  const checks = subSchemas(list, 'oneOf', compiler)
  if (checks === undefined) return undefined
  return (value, run) => {
    const found = checks.map((check) => tryCheck(check, value, run))
    const fitting = found.filter((problems) => problems.length === 0).length
    if (fitting === 1) return
    report(run, 'Must validate one and only one schema (oneOf)')
    if (fitting === 0) run.problems.push(...nearest(found))
  }
}

function allOf({ allOf: list }: JsonObject, compiler: Compiler): Check | undefined {
  const checks = subSchemas(list, 'allOf', compiler)
  if (checks === undefined) return undefined
  return (value, run) => {
    const found = checks.flatMap((check) => tryCheck(check, value, run))
    if (found.length === 0) return
    run.problems.push(...found)
    report(run, 'Must validate all the schemas (allOf)')
  }
}

function not({ not: schema }: JsonObject, compiler: Compiler): Check | undefined {
  if (schema === undefined) return undefined
  const check = compiler.sub(schema)
  if (check === undefined) compiler.fail('not must be a schema')
  return (value, run) => {
    if (check !== undefined && tryCheck(check, value, run).length === 0) {
      report(run, 'Must not validate the schema (not)')
    }
  }
}

function condition(schema: JsonObject, compiler: Compiler): Check | undefined {
  const test = schema['if'] === undefined ? undefined : compiler.sub(schema['if'])
  if (test === undefined) return undefined
  const onTrue = compiler.sub(schema['then'])
  const onFalse = compiler.sub(schema['else'])
  return (value, run) => {
    const holds = tryCheck(test, value, run).length === 0
    const branch = holds ? onTrue : onFalse
    const problems = branch === undefined ? [] : tryCheck(branch, value, run)
    if (problems.length === 0) return
    report(run, holds ? 'Must validate "then" as "if" was valid' : 'Must validate "else" as "if" was not valid')
    run.problems.push(...problems)
  }
}

function fixed(schema: JsonObject): Check | undefined {
  if (!Object.hasOwn(schema, 'const')) return undefined
  const wanted = schema['const']
  return (value, run) => {
    if (!isSameJson(value, wanted)) report(run, `${fieldOf(run.path)} does not match: ${JSON.stringify(wanted)}`)
  }
}

function oneOfValues({ enum: values }: JsonObject, compiler: Compiler): Check | undefined {
  if (values === undefined) return undefined
  if (!Array.isArray(values)) {
    compiler.fail('enum must be a list')
    return undefined
  }
  const shown = values.map((value) => JSON.stringify(value)).join(', ')
  return (value, run) => {
    if (values.some((allowed) => isSameJson(value, allowed))) return
    report(run, `${fieldOf(run.path)} must be one of the following: ${shown}`)
  }
}
