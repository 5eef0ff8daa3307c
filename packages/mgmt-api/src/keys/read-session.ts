/** Reads the session in the body of a call that writes one, and finds its fields without effect. */
import { findUnsupported, unsupportedInSessions } from '@turnpike/core/definition'
import { type Session, sessionShape } from '@turnpike/core/ports'
import { readBody } from '../calls/read-body.ts'
import { rejectIneffective, warningsOf } from '../calls/warnings.ts'
import type { Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

export type ReadSession =
  | {
      readonly value: Session
      /** The member `warnings` of the reply, if there are any. */
      readonly warnings: { readonly warnings?: readonly string[] }
      readonly rejection?: undefined
    }
  | { readonly rejection: Reply }

/** `malformed`: the reply to a body that is no session. With `strict`, fields without effect are rejected. */
export async function readSession(call: Call, malformed: Reply): Promise<ReadSession> {
  const body = await readBody(call, sessionShape, malformed)
  if (body.rejection) return body
  const ineffective = [...body.unknown, ...findUnsupported(unsupportedInSessions, body.value)]
  const rejection = rejectIneffective(call, ineffective)
  return rejection === undefined ? { value: body.value, warnings: warningsOf(ineffective) } : { rejection }
}
