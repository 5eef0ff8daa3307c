/** Warnings of calls that write a document: fields that have no effect, and invalid templates. */
import {
  type ClassicDefinition,
  effectOf,
  invalidTemplatesOf,
  strictProblemOf,
  type Unsupported,
} from '@turnpike/core/definition'
import { printJsonPath } from '@turnpike/core/lib'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

/**
 * The member `warnings` of a reply; empty if every field has an effect and every template of the definition is valid.
 * `definition`: absent for documents that are no definitions.
 */
export function warningsOf(
  unsupported: readonly Unsupported[],
  definition?: ClassicDefinition,
): { readonly warnings?: readonly string[] } {
  const invalid = definition === undefined ? [] : invalidTemplatesOf(definition)
  const warnings = [
    ...unsupported.map((field) => `${printJsonPath(field.path)} ${effectOf(field)}; ${field.instead}`),
    ...invalid.map(({ path, message }) => `${printJsonPath(path)} ${message}`),
  ]
  return warnings.length === 0 ? {} : { warnings }
}

/** With `strict` in the configuration, a document with fields without effect is rejected; otherwise `undefined`. */
export function rejectIneffective(call: Call, unsupported: readonly Unsupported[]): Reply | undefined {
  if (call.management.settings.strict !== true) return undefined
  const problem = strictProblemOf(unsupported)
  return problem && failure(400, `${printJsonPath(problem.path)} ${problem.message}`)
}
