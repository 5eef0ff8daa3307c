/**
 * The dashboard as one fetch function: sign-on (`sso/`), the page (`page/`) and what the page reads (`read/`,
 * `feed/`). It takes few paths, so that it can share a port with APIs: see `owns`.
 */
import { type Context, Hono } from 'hono'
import type { Caller, DashboardParts } from './dashboard-parts.ts'
import { failure, methodNotSupported, notAuthorised, notFound } from './http/reply.ts'
import { isSecret } from './http/secret.ts'
import { createNonce } from './sso/create-nonce.ts'
import { logIn } from './sso/log-in.ts'
import { makeNonces } from './sso/nonces.ts'
import { answerSession } from './sso/session-calls.ts'
import { makeUserSessions } from './sso/sessions.ts'
import type { Section } from './sso/sign-on.ts'

export interface Dashboard {
  /** Answers a call. Never rejects. */
  fetch(request: Request, caller: Caller): Promise<Response>
  /** Whether a path (undecoded, without query) is the dashboard's where it shares a port. */
  owns(path: string): boolean
  /** Ends what is open, so that nothing waits for it. */
  close(): void
}

interface Env {
  Bindings: Caller
}

/** Everything the page reads and loads is below it. */
const root = '/api/dashboard'

export function makeDashboard(parts: DashboardParts): Dashboard {
  const { options, store, ids, log } = parts
  const nonces = makeNonces({ records: store.records, ids, lifetimeSeconds: options.ssoNonceLifetime })
  const sessions = makeUserSessions(store.records, ids)
  const isAdmin = makeAdminCheck(parts)
  const app = new Hono<Env>({ getPath: ({ url }) => new URL(url).pathname })

  app.all('/admin/sso', async (context) => {
    const request = context.req.raw
    if (request.method !== 'POST') return methodNotSupported('POST')
    if (!isAdmin(context)) return notAuthorised()
    return createNonce(request, context.env.bodyTooLong ?? false, { options, nonces })
  })
  app.all('/admin/*', (context) => (isAdmin(context) ? notFound() : notAuthorised()))

  const logInAt = (path: string, section: Section) =>
    app.all(path, ({ req: { raw: request } }) =>
      request.method === 'GET'
        ? logIn(request, section, { options, nonces, sessions, ids, log })
        : methodNotSupported('GET'),
    )
  logInAt('/tap', 'dashboard')
  logInAt('/sso', 'portal')
  app.all('/api/session', (context) => answerSession(context.req.raw, sessions, () => undefined))
  app.notFound(notFound)
  app.onError((error) => {
    log.error('a dashboard call failed', { reason: String(error) })
    return failure(500, 'Internal error')
  })

  const paths = new Set(['/tap', '/sso', '/api/session', options.homePath])
  return {
    fetch: async (request, caller) => app.fetch(request, caller),
    owns: (path) => paths.has(path) || path.startsWith('/admin/') || path.startsWith(`${root}/`),
    close() {},
  }
}

/** Wrong secrets are counted and told with the client's address; what was sent is not. */
function makeAdminCheck({ options, log }: DashboardParts): (context: Context<Env>) => boolean {
  let refused = 0
  return ({ req: { raw: request }, env: { address } }) => {
    if (isSecret(request.headers.get('admin-auth'), options.adminSecret)) return true
    refused += 1
    log.warn('an admin call of the dashboard without the right Admin-Auth', { client: address, soFar: refused })
    return false
  }
}
