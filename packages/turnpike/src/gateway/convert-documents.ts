/** Converts between user documents (wire field names) and the session and policy types of core. */
import {
  type Policy,
  policyShape,
  printJsonPath,
  readShape,
  type Session,
  type Shape,
  sessionShape,
} from '@turnpike/core'
import type { PolicyDocument, SessionDocument } from './document-types.ts'

/** Throws a `TypeError` that names the field, since callers in plain JavaScript have no compile-time check. */
export function toSession(document: SessionDocument): Session {
  return readOrThrow(sessionShape, document, 'session')
}

export function fromSession(session: Session): SessionDocument {
  return sessionShape.writeSparse(session) as SessionDocument
}

/** Throws a `TypeError` that names the field. */
export function toPolicy(document: PolicyDocument): Policy {
  return readOrThrow(policyShape, document, 'policy')
}

export function fromPolicy(policy: Policy): PolicyDocument {
  return policyShape.writeSparse(policy) as PolicyDocument
}

function readOrThrow<T>(shape: Shape<T>, document: unknown, what: string): T {
  const { value, problems } = readShape(shape, document)
  const wrong = problems.find((problem) => problem.kind === 'type')
  if (wrong !== undefined) throw new TypeError(`${what}: ${printJsonPath(wrong.path)} ${wrong.message}`)
  return value
}
