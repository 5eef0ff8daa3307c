/** Between documents as users write them and the shapes of core. */
import {
  type Policy,
  policyShape,
  printJsonPath,
  readShape,
  type Session,
  type Shape,
  sessionShape,
} from '@turnpike/core'
import type { PolicyDocument, SessionDocument } from './documents.ts'

/** Throws a `TypeError` that names the field, as a typed call would have been refused at compile time. */
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
