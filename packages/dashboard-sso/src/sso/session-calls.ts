/** `/api/session`: who is signed on, and how to end it. Source: docs/reference/dashboard-sso.md#login. */
import type { SecureCookie } from '../dashboard-options.ts'
import { setCookie } from '../http/cookie.ts'
import { failure, methodNotSupported, notAuthorised, ok } from '../http/reply.ts'
import { originOf } from '../http/same-origin.ts'
import type { UserSessions } from './sessions.ts'

/** Calls `ended` with each session that was ended. */
export async function answerSession(
  request: Request,
  sessions: UserSessions,
  ended: (digest: string) => void,
  secureCookie: SecureCookie,
): Promise<Response> {
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD' && method !== 'DELETE') return methodNotSupported('DELETE', 'GET', 'HEAD')
  const found = await sessions.find(request)
  if (found === undefined) return notAuthorised()
  if (method !== 'DELETE') return ok('', found.session)
  if (originOf(request) === 'foreign') return failure(403, 'This call must come from the dashboard itself')
  if (!(await sessions.end(found.digest))) return notAuthorised()
  ended(found.digest)
  return ok('Session ended', null, { 'set-cookie': setCookie(found.session.Section, '', 0, request, secureCookie) })
}
