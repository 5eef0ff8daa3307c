/** Sessions as JSON: what clients send, what is shown, and what stores that share data keep. */
import { type Problem, readShape } from '../lib/shape/shape.ts'
import { type Session, sessionShape } from '../ports/session.ts'

/** The session as JSON without zero fields: the form of every answer and of shared stores. */
export function toWireSession(session: Session): Record<string, unknown> {
  return sessionShape.writeSparse(session) as Record<string, unknown>
}

/**
 * Reads a session from JSON. A wrong type anywhere makes it unreadable, and `problem` tells the first place; unknown
 * fields are dropped and told in `unknown`.
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
