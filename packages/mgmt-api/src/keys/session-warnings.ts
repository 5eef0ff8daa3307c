/** Warnings of calls that write a session. */
import { findUnsupported, type Session, type Unsupported, unsupportedInSessions } from '@turnpike/core'
import { warningsOf } from '../http/warnings.ts'

/** `unknown`: fields of the body that are not known. */
export function sessionWarnings(body: { readonly value: Session; readonly unknown: readonly Unsupported[] }): object {
  return warningsOf([...body.unknown, ...findUnsupported(unsupportedInSessions, body.value)])
}
