/** Warnings of calls that write a document: fields that have no effect. */
import { effectOf, strictProblemOf, type Unsupported } from '@turnpike/core/definition'
import { printJsonPath } from '@turnpike/core/lib'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

/** The member `warnings` of a reply; empty if every field has an effect. */
export function warningsOf(unsupported: readonly Unsupported[]): { readonly warnings?: readonly string[] } {
  if (unsupported.length === 0) return {}
  return { warnings: unsupported.map((field) => `${printJsonPath(field.path)} ${effectOf(field)}; ${field.instead}`) }
}

/** With `strict` in the configuration, a document with fields without effect is rejected; otherwise `undefined`. */
export function rejectIneffective(call: Call, unsupported: readonly Unsupported[]): Reply | undefined {
  if (call.management.settings.strict !== true) return undefined
  const problem = strictProblemOf(unsupported)
  return problem && failure(400, `${printJsonPath(problem.path)} ${problem.message}`)
}
