/** The one shape of the responses of this package. Source: docs/reference/dashboard-sso.md#dashboard-configuration. */

type Headers = Readonly<Record<string, string>>

const always: Headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** A call that went well. */
export function ok(message: string, meta: unknown = null, headers: Headers = {}): Response {
  return reply(200, 'OK', message, meta, headers)
}

/** A call that was rejected. */
export function failure(status: number, message: string, headers: Headers = {}): Response {
  return reply(status, 'Error', message, null, headers)
}

function reply(status: number, word: 'OK' | 'Error', message: string, meta: unknown, headers: Headers): Response {
  const body = JSON.stringify({ Status: word, Message: message, Meta: meta })
  return new Response(body, { status, headers: { ...always, ...headers } })
}

export const notAuthorised = (): Response => failure(401, 'Not authorised')
export const notFound = (): Response => failure(404, 'Not found')

/** `allow`: methods that the path knows. */
export const methodNotSupported = (...allow: string[]): Response =>
  failure(405, 'Method not supported', { allow: allow.join(', ') })
