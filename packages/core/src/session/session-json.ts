/** The JSON format of sessions, in the management API and in shared stores. */
import { type Problem, readShape } from '../lib/shape/shape.ts'
import { type Session, sessionShape } from '../ports/session.ts'

/** Converts a session to its wire form, without zero values. */
export function toWireSession(session: Session): Record<string, unknown> {
  return sessionShape.writeSparse(session) as Record<string, unknown>
}

/**
 * Parses a session. A wrong type makes it invalid; `problem` names the first field with a wrong type. Unknown fields are
 * dropped and listed in `unknown`.
 */
export function parseSession(
  value: unknown,
):
  | { readonly session: Session; readonly problem: undefined; readonly unknown: readonly Problem[] }
  | { readonly session: undefined; readonly problem: string } {
  const read = readShape(sessionShape, value)
  const wrong = read.problems.find((problem) => problem.kind === 'type')
  if (wrong !== undefined) return { session: undefined, problem: `${wrong.path.join('.')} ${wrong.message}`.trim() }
  return { session: read.value, problem: undefined, unknown: read.problems }
}
