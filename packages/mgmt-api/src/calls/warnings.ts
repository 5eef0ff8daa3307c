/** Warnings of calls that write a document: fields without effect, and what `turnpike check` reports. */
import {
  type ClassicDefinition,
  ineffectiveNote,
  noteText,
  printDefinition,
  strictProblemOf,
  type Unsupported,
} from '@turnpike/core/definition'
import { type Json, printJsonPath } from '@turnpike/core/lib'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

/** The member `warnings` of a reply; no member if there is nothing to report. */
interface Warnings {
  readonly warnings?: readonly string[]
}

/** A document of a thousand operations can have the same mistake in each. */
const maxWarnings = 100

/** Warnings about fields without effect, before other problems. */
export function warningsOf(unsupported: readonly Unsupported[], problems: readonly string[] = []): Warnings {
  const fields = unsupported
    .filter(({ status }) => status !== 'unused')
    .map(ineffectiveNote)
    .map((note) => `${printJsonPath(note.path)} ${noteText(note)} [${note.id}]`)
  const all = [...fields, ...problems]
  if (all.length === 0) return {}
  if (all.length <= maxWarnings) return { warnings: all }
  const others = `${all.length - maxWarnings} more; turnpike check lists all of them`
  return { warnings: [...all.slice(0, maxWarnings), others] }
}

/** Warnings about a definition that was written. `document`: the document from which it was derived. */
export async function definitionWarnings(
  call: Call,
  unsupported: readonly Unsupported[],
  definition: ClassicDefinition,
  document?: Json,
): Promise<Warnings> {
  const text = printDefinition(definition)
  const given = document === undefined ? { text } : { text, document }
  return warningsOf(unsupported, await call.management.findDefinitionProblems?.(given))
}

/** With `strict` in the configuration, a document with fields without effect is rejected; otherwise `undefined`. */
export function rejectIneffective(call: Call, unsupported: readonly Unsupported[]): Reply | undefined {
  if (call.management.settings.strict !== true) return undefined
  const problem = strictProblemOf(unsupported)
  return problem && failure(400, `${printJsonPath(problem.path)} ${problem.message}`)
}
