/** Converts between user documents (wire field names) and the session and policy types of core. */
import { type Problem, printJsonPath, readShape, type Shape } from '@turnpike/core/lib'
import { type Session, sessionShape } from '@turnpike/core/ports'
import { type Policy, policyShape } from '@turnpike/core/session'
import type { PolicyDocument, SessionDocument } from './document-types.ts'

/** Throws a `TypeError` that names the field if a value has another type. Ignores unknown fields. */
export function toSession(document: SessionDocument): Session {
  return readOrThrow(sessionShape, document, 'session')
}

/** Like `toSession`, but throws for unknown fields too, since callers in plain JavaScript have no compile-time check. */
export function toKnownSession(document: SessionDocument): Session {
  return readKnownOrThrow(sessionShape, document, 'session')
}

export function fromSession(session: Session): SessionDocument {
  return sessionShape.writeSparse(session) as SessionDocument
}

/** Throws a `TypeError` that names the field. */
export function toPolicy(document: PolicyDocument): Policy {
  return readOrThrow(policyShape, document, 'policy')
}

/** Like `toPolicy`, but throws for unknown fields too. */
export function toKnownPolicy(document: PolicyDocument): Policy {
  return readKnownOrThrow(policyShape, document, 'policy')
}

export function fromPolicy(policy: Policy): PolicyDocument {
  return policyShape.writeSparse(policy) as PolicyDocument
}

function readOrThrow<T>(shape: Shape<T>, document: unknown, what: string): T {
  const { value, problems } = readShape(shape, document)
  const wrong = problems.find((problem) => problem.kind === 'type')
  if (wrong !== undefined) throw new TypeError(messageOf(what, wrong))
  return value
}

function readKnownOrThrow<T>(shape: Shape<T>, document: unknown, what: string): T {
  if (typeof document !== 'object' || document === null) {
    throw new TypeError(`${what}: must be an object, is ${document === undefined ? 'missing' : String(document)}`)
  }
  const { value, problems } = readShape(shape, document)
  const wrong = problems.find(({ kind }) => kind === 'type') ?? problems[0]
  if (wrong !== undefined) throw new TypeError(messageOf(what, wrong))
  return value
}

function messageOf(what: string, { path, message, suggestion }: Problem): string {
  const fix = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  return `${what}: ${printJsonPath(path)} ${message}${fix}`.replace(/: +/, ': ')
}
