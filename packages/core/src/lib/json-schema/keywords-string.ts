/** Keywords about texts. Lengths count characters (code points), as RFC 8259 means them. */
import { compileRe2 } from '../regex/re2.ts'
import { type Check, type Compiler, report } from './compile-schema.ts'
import { hasFormat } from './formats.ts'
import type { JsonObject } from './json-type.ts'

export function compileStringKeywords(schema: JsonObject, compiler: Compiler): Check[] {
  const { minLength, maxLength, pattern, format } = schema
  const checks: Check[] = []
  const add = (test: (value: string) => boolean, message: string) => {
    checks.push((value, run) => {
      if (typeof value === 'string' && !test(value)) report(run, message)
    })
  }
  if (typeof minLength === 'number') {
    add((value) => lengthOf(value) >= minLength, `String length must be greater than or equal to ${minLength}`)
  }
  if (typeof maxLength === 'number') {
    add((value) => lengthOf(value) <= maxLength, `String length must be less than or equal to ${maxLength}`)
  }
  if (typeof pattern === 'string') {
    const compiled = compileRe2(pattern)
    if (compiled.problem !== undefined) compiler.fail(`the pattern ${pattern} is not valid: ${compiled.problem}`)
    else add((value) => compiled.test(value), `Does not match pattern '${pattern}'`)
  }
  if (typeof format === 'string') add((value) => hasFormat(value, format), `Does not match format '${format}'`)
  return checks
}

function lengthOf(text: string): number {
  let length = text.length
  for (let i = 1; i < text.length; i++) {
    const isPairEnd = (text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800
    if (isPairEnd) length--
  }
  return length
}
