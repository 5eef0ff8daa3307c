/** Keywords about numbers. Draft 4 has exclusive limits as switches beside the limit, later drafts as limits. */
import { type Check, type Compiler, report } from './compile-schema.ts'
import type { JsonObject } from './json-type.ts'

export function compileNumberKeywords(schema: JsonObject, compiler: Compiler): Check[] {
  const checks: Check[] = []
  const add = (test: (value: number) => boolean, message: string) => {
    checks.push((value, run) => {
      if (typeof value === 'number' && !test(value)) report(run, message)
    })
  }
  const limit = (keyword: string): number | undefined => {
    const value = schema[keyword]
    if (value === undefined || typeof value === 'boolean') return undefined
    if (typeof value !== 'number') compiler.fail(`${keyword} must be a number`)
    return typeof value === 'number' ? value : undefined
  }

  const multipleOf = limit('multipleOf')
  if (multipleOf !== undefined) {
    if (multipleOf <= 0) compiler.fail('multipleOf must be above 0')
    else add((value) => isMultiple(value, multipleOf), `Must be a multiple of ${multipleOf}`)
  }
  const maximum = limit('maximum')
  const above = limit('exclusiveMaximum') ?? (schema['exclusiveMaximum'] === true ? maximum : undefined)
  if (maximum !== undefined && schema['exclusiveMaximum'] !== true) {
    add((value) => value <= maximum, `Must be less than or equal to ${maximum}`)
  }
  if (above !== undefined) add((value) => value < above, `Must be less than ${above}`)
  const minimum = limit('minimum')
  const below = limit('exclusiveMinimum') ?? (schema['exclusiveMinimum'] === true ? minimum : undefined)
  if (minimum !== undefined && schema['exclusiveMinimum'] !== true) {
    add((value) => value >= minimum, `Must be greater than or equal to ${minimum}`)
  }
  if (below !== undefined) add((value) => value > below, `Must be greater than ${below}`)
  return checks
}

/** 0.3 is a multiple of 0.1, though its double is not: the quotient may miss a whole number by rounding alone. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 4 * Number.EPSILON
}
