/**
 * The dashboard as one fetch function: sign-on (`sso/`), the page (`page/`) and what the page reads (`read/`,
 * `feed/`). It takes few paths, so that it can share a port with APIs: see `owns`.
 */
import { isSecret, secretBackOffOf } from '@turnpike/core'
import { type Context, Hono } from 'hono'
import type { Caller, DashboardServices } from './dashboard-services.ts'
import { makeEditOperations } from './edit/edit-operations.ts'
import { makeFeeds } from './feed/feeds.ts'
import { makeHistory } from './feed/last-hour.ts'
import { makeTally } from './feed/tally.ts'
import { failure, methodNotSupported, notAuthorised, notFound } from './http/reply.ts'
import { originOf } from './http/same-origin.ts'
import { readPageFiles } from './page/page-files.ts'
import { makeKeyListCache } from './read/key-list-cache.ts'
import { makeNumbers, makeReadApi, type ReadOperation } from './read/read-api.ts'
import { showReload } from './read/show-reload.ts'
import { makeViewer } from './read/viewer.ts'
import { makeRequestOperations } from './requests/request-operations.ts'
import { makeRequestRing } from './requests/request-ring.ts'
import { createNonce } from './sso/create-nonce.ts'
import { logIn } from './sso/log-in.ts'
import { makeNonces } from './sso/nonces.ts'
import { answerSession } from './sso/session-calls.ts'
import { makeUserSessions } from './sso/sessions.ts'
import { makeSignInPath } from './sso/sign-in-link.ts'
import type { Section } from './sso/sign-on.ts'

export interface Dashboard {
  /** Responds to a call. Never rejects. */
  fetch(request: Request, caller: Caller): Promise<Response>
  /** Whether a path (undecoded, without query) is the dashboard's where it shares a port. */
  owns(path: string): boolean
  /**
   * Creates a sign-in link: it works once, within ten minutes and from a loopback address. Resolves with its path and
   * query; `undefined` if no organisation is configured or the token cannot be stored.
   */
  signInPath(): Promise<string | undefined>
  /** Ends what is open, so that nothing waits for it. */
  close(): void
}

interface Env {
  Bindings: Caller
}

/** Everything the page reads and loads is below it. */
const root = '/api/dashboard'
const notFromHere = 'This call must come from the dashboard itself'

export function makeDashboard(parts: DashboardServices): Dashboard {
  const { options, store, ids, log } = parts
  const nonces = makeNonces({ records: store.records, ids, lifetimeSeconds: options.ssoNonceLifetime })
  const sessions = makeUserSessions(store.records, ids)
  const rejectStranger = makeAdminCheck(parts)
  const tally = makeTally(parts.clock)
  const history = makeHistory(
    parts.clock,
    options.organisations.map(({ id }) => id),
  )
  const stopTally = parts.gateway.onRequest((entry) => {
    tally.note(entry)
    history.note(entry)
  })
  const ring = makeRequestRing(parts.clock, ids.uuid().slice(0, 8))
  const feeds = makeFeeds({
    ring,
    clock: parts.clock,
    gateway: parts.gateway,
    isOpen: sessions.isOpen,
    numbers: makeNumbers(parts, tally),
    showReload: (report, viewer) => showReload(report, viewer, parts.gateway.definitions(), options),
  })
  const files = readPageFiles()
  const app = new Hono<Env>({ getPath: ({ url }) => new URL(url).pathname })

  app.all('/admin/sso', async (context) => {
    const request = context.req.raw
    if (request.method !== 'POST') return methodNotSupported('POST')
    return (
      (await rejectStranger(context)) ?? createNonce(request, context.env.bodyTooLong ?? false, { options, nonces })
    )
  })
  app.all('/admin/*', async (context) => (await rejectStranger(context)) ?? notFound())

  const logInAt = (path: string, section: Section) =>
    app.all(path, ({ req: { raw: request }, env: { address } }) =>
      request.method === 'GET'
        ? logIn(request, section, { options, nonces, sessions, ids, log, address })
        : methodNotSupported('GET'),
    )
  logInAt('/tap', 'dashboard')
  logInAt('/sso', 'portal')
  app.all('/api/session', (context) => answerSession(context.req.raw, sessions, feeds.endSession, options.secureCookie))

  const runRead = async (operation: ReadOperation, context: Context<Env>): Promise<Response> => {
    const request = context.req.raw
    const found = await sessions.find(request, 'dashboard')
    if (found === undefined) return notAuthorised()
    const viewer = makeViewer(found, options)
    const { needs } = operation
    if (needs !== undefined && !viewer.may(...needs)) return failure(403, `Not permitted: ${needs.join(' ')}`)
    // Browsers say where a change comes from; who says nothing is no page of ours.
    if (operation.method !== 'GET' && originOf(request) !== 'own') return failure(403, notFromHere)
    const { bodyTooLong = false } = context.env
    return operation.handle({ viewer, request, bodyTooLong, name: context.req.param('name') ?? '' })
  }
  const { settings, clock, gateway } = parts
  const keyLists = makeKeyListCache({ sessions: store.sessions, settings, clock, policies: gateway.policies })
  const operations = [
    ...makeReadApi(parts, { tally, history, feeds, keyLists }),
    ...makeRequestOperations(parts, ring),
    ...makeEditOperations(parts, keyLists),
  ]
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const there = operations.filter((operation) => operation.path === path)
    app.all(root + path, (context) => {
      const { raw: request } = context.req
      const operation = there.find((one) => one.method === request.method)
      if (operation === undefined) return methodNotSupported(...there.map((one) => one.method))
      return runRead(operation, context)
    })
  }
  app.get(`${root}/page/:file`, ({ req }) => files.file(req.param('file'), req.raw) ?? notFound())
  const home = pathOf(options.homePath)
  app.notFound(async ({ req: { raw: request } }) => {
    if (new URL(request.url).pathname !== home) return notFound()
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotSupported('GET', 'HEAD')
    return files.page((await sessions.find(request, 'dashboard')) !== undefined)
  })
  app.onError((error) => {
    log.error('a dashboard call failed', { reason: String(error) })
    return failure(500, 'Internal error')
  })

  const paths = new Set(['/tap', '/sso', '/api/session', home])
  return {
    fetch: async (request, caller) => app.fetch(request, caller),
    owns: (path) => paths.has(path) || path.startsWith('/admin/') || path.startsWith(`${root}/`),
    signInPath: () => makeSignInPath(options, nonces),
    close() {
      stopTally()
      feeds.close()
    },
  }
}

/** Path of a configured address; `undefined`: it is somewhere else, and so is the page that logins lead to. */
function pathOf(address: string): string | undefined {
  return /^\/(?!\/)/.test(address) ? new URL(address, 'http://gateway').pathname : undefined
}

/**
 * Returns the response to a call without the right secret. Logs it with the client's address, never with the secret
 * that was sent.
 */
function makeAdminCheck({ options, log, clock }: DashboardServices) {
  const guesses = secretBackOffOf(clock)
  let rejected = 0
  return async ({ req: { raw: request }, env: { address } }: Context<Env>): Promise<Response | undefined> => {
    const given = request.headers.get('admin-auth')
    const isRight = () => isSecret(given, options.adminSecret)
    const verdict = await guesses.check({ subject: 'dashboard', address, given, isRight })
    if (verdict === 'right') return undefined
    rejected += 1
    log.warn('an admin call of the dashboard without the right Admin-Auth', { client: address, soFar: rejected })
    if (verdict === 'wrong') return notAuthorised()
    return failure(429, tooManyGuesses, { 'retry-after': String(verdict.retryAfterSeconds) })
  }
}

const tooManyGuesses = 'Too many wrong secrets came from this address; retry later'
