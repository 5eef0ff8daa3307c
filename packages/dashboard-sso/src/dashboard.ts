/**
 * The dashboard as one fetch function: sign-on (`sso/`), the page (`page/`) and what the page reads (`read/`,
 * `feed/`). It takes few paths, so that it can share a port with APIs: see `owns`.
 */
import { isSecret } from '@turnpike/core/lib'
import { secretBackOffOf } from '@turnpike/core/session'
import { type Context, Hono } from 'hono'
import type { DashboardOptions } from './dashboard-options.ts'
import type { Caller, DashboardServices } from './dashboard-services.ts'
import { makeEditOperations } from './edit/edit-operations.ts'
import { makeFeeds } from './feed/feeds.ts'
import { makeHistory } from './feed/last-hour.ts'
import { makeRequestRing } from './feed/request-ring.ts'
import { makeTally } from './feed/tally.ts'
import type { Section } from './http/cookie.ts'
import { failure, methodNotSupported, notAuthorised, notFound } from './http/reply.ts'
import { originOf } from './http/same-origin.ts'
import { readPageFiles } from './page/page-files.ts'
import { makeKeyListCache } from './read/key-list-cache.ts'
import { makeNumbers, makeReadApi, type ReadOperation } from './read/read-api.ts'
import { showReload } from './read/show-reload.ts'
import { makeRequestOperations } from './requests/request-operations.ts'
import { createSignOnToken } from './sso/create-sign-on-token.ts'
import { type LogInServices, logIn } from './sso/log-in.ts'
import { answerSession } from './sso/session-calls.ts'
import { makeUserSessions, type UserSessions } from './sso/sessions.ts'
import { makeSignInPath } from './sso/sign-in-link.ts'
import { makeSignOnTokens, type SignOnTokens } from './sso/sign-on-tokens.ts'
import { makeViewer } from './sso/viewer.ts'

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
  const signOnTokens = makeSignOnTokens({ records: store.records, ids, lifetimeSeconds: options.ssoNonceLifetime })
  const sessions = makeUserSessions(store.records, ids)
  const observers = makeObservers(parts, sessions)
  const home = pathOf(options.homePath)
  const app = new Hono<Env>({ getPath: ({ url }) => new URL(url).pathname })
  addAdmin(app, parts, signOnTokens)
  addSessions(app, { ...parts, signOnTokens, sessions }, observers.feeds.endSession)
  addOperations(app, makeOperations(parts, observers), sessions, options)
  addPage(app, home, sessions)
  app.onError((error) => {
    log.error('a dashboard call failed', { reason: String(error) })
    return failure(500, 'Internal error')
  })

  const paths = new Set(['/tap', '/sso', '/api/session', home])
  return {
    fetch: async (request, caller) => app.fetch(request, caller),
    owns: (path) => paths.has(path) || path.startsWith('/admin/') || path.startsWith(`${root}/`),
    signInPath: () => makeSignInPath(options, signOnTokens),
    close: observers.close,
  }
}

type App = Hono<Env>

/** What follows the requests of the gateway, for the page. */
function makeObservers(parts: DashboardServices, sessions: UserSessions) {
  const { clock, gateway, ids, options } = parts
  const orgIds = options.organisations.map(({ id }) => id)
  const tally = makeTally(clock)
  const history = makeHistory(clock, orgIds)
  const stopTally = gateway.onRequest((entry) => {
    tally.note(entry)
    history.note(entry)
  })
  const ring = makeRequestRing(clock, ids.uuid().slice(0, 8))
  const feeds = makeFeeds({
    ...{ ring, clock, gateway },
    isOpen: sessions.isOpen,
    numbers: makeNumbers(parts, tally),
    showReload: (report, viewer) => showReload(report, viewer, gateway.definitions(), options),
  })
  const close = () => {
    stopTally()
    feeds.close()
  }
  return { tally, history, ring, feeds, close }
}

function makeOperations(
  parts: DashboardServices,
  observers: ReturnType<typeof makeObservers>,
): readonly ReadOperation[] {
  const { store, settings, clock, gateway } = parts
  const keyLists = makeKeyListCache({ sessions: store.sessions, settings, clock, policies: gateway.policies })
  return [
    ...makeReadApi(parts, { ...observers, keyLists }),
    ...makeRequestOperations(parts, observers.ring),
    ...makeEditOperations(parts, keyLists),
  ]
}

function addAdmin(app: App, parts: DashboardServices, signOnTokens: SignOnTokens): void {
  const { options } = parts
  const rejectStranger = makeAdminCheck(parts)
  app.all('/admin/sso', async (context) => {
    const request = context.req.raw
    if (request.method !== 'POST') return methodNotSupported('POST')
    return (
      (await rejectStranger(context)) ??
      createSignOnToken(request, context.env.bodyTooLong ?? false, { options, signOnTokens })
    )
  })
  app.all('/admin/*', async (context) => (await rejectStranger(context)) ?? notFound())
}

function addSessions(
  app: App,
  services: Omit<LogInServices, 'address'>,
  endFeeds: (sessionDigest: string) => void,
): void {
  const logInAt = (path: string, section: Section) =>
    app.all(path, ({ req: { raw: request }, env: { address } }) =>
      request.method === 'GET' ? logIn(request, section, { ...services, address }) : methodNotSupported('GET'),
    )
  logInAt('/tap', 'dashboard')
  logInAt('/sso', 'portal')
  const { sessions, options } = services
  app.all('/api/session', ({ req }) => answerSession(req.raw, sessions, endFeeds, options.secureCookie))
}

function addOperations(
  app: App,
  operations: readonly ReadOperation[],
  sessions: UserSessions,
  options: DashboardOptions,
): void {
  const run = async ({ needs, method, handle }: ReadOperation, { req, env }: Context<Env>): Promise<Response> => {
    const request = req.raw
    const found = await sessions.find(request, 'dashboard')
    if (found === undefined) return notAuthorised()
    const viewer = makeViewer(found, options)
    if (needs !== undefined && !viewer.may(...needs)) return failure(403, `Not permitted: ${needs.join(' ')}`)
    // Browsers say where a change comes from; who says nothing is no page of ours.
    if (method !== 'GET' && originOf(request) !== 'own') return failure(403, notFromHere)
    return handle({ viewer, request, bodyTooLong: env.bodyTooLong ?? false, name: req.param('name') ?? '' })
  }
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const there = operations.filter((operation) => operation.path === path)
    app.all(root + path, (context) => {
      const operation = there.find(({ method }) => method === context.req.method)
      return operation === undefined
        ? methodNotSupported(...there.map(({ method }) => method))
        : run(operation, context)
    })
  }
}

function addPage(app: App, home: string | undefined, sessions: UserSessions): void {
  const files = readPageFiles()
  app.get(`${root}/page/:file`, ({ req }) => files.file(req.param('file'), req.raw) ?? notFound())
  app.notFound(async ({ req: { raw: request } }) => {
    if (new URL(request.url).pathname !== home) return notFound()
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotSupported('GET', 'HEAD')
    return files.page((await sessions.find(request, 'dashboard')) !== undefined)
  })
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
