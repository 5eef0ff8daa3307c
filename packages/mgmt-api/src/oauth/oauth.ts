/**
 * OAuth 2.0 of a gateway: clients, tokens and calls of each API. All state is in the store, so nodes that share a store
 * agree. HTTP is elsewhere: oauth-endpoints.ts has the endpoints below listen paths, operations/ those of the management
 * API. Source: docs/reference/oauth-clients.md#client-object, docs/reference/oauth-endpoints.md#oauth-paths.
 */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { Engine } from '@turnpike/core/engine'
import { type Maybe, type Millis, when } from '@turnpike/core/lib'
import { type HookLinks, makeHookLinks } from '@turnpike/core/observability'
import type {
  Cancel,
  Clock,
  GatewaySettings,
  Ids,
  Log,
  Passwords,
  Signals,
  Store,
  Upstream,
} from '@turnpike/core/ports'
import { type Authorization, makeAuthorization } from './authorization.ts'
import { type ClientStore, makeClientStore } from './client-store.ts'
import { makeGrantNotifier } from './grant-notification.ts'
import { type KnownClients, makeKnownClients } from './known-clients.ts'
import { makeRejections } from './oauth-errors.ts'
import { oauthNames, purgeLock } from './oauth-names.ts'
import type { OAuthSettings } from './oauth-settings.ts'
import { longText } from './random-texts.ts'
import { makeTokenEndpoint, type TokenEndpoint } from './token-endpoint.ts'
import { makeTokenStore, type TokenStore } from './token-store.ts'
import { makeUsers } from './users.ts'

export interface OAuthServices {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly passwords: Passwords
  readonly upstream: Upstream
  readonly signals: Signals
  readonly settings: GatewaySettings
  readonly oauth: OAuthSettings
  /** The engine that this server is attached to. A function, because the engine is made with its endpoints. */
  engine(): Pick<Engine, 'sessionCache' | 'keyLock' | 'policies' | 'definitions'>
}

/** OAuth of one API. */
export interface ApiOAuth {
  readonly clients: ClientStore
  readonly tokens: TokenStore
  readonly authorization: Authorization
  readonly token: TokenEndpoint
}

export interface OAuth {
  readonly settings: OAuthSettings
  of(api: ApiDefinition): ApiOAuth
  /** Whether the client exists; at most one second old. */
  clientExists(apiId: string, clientId: string): Maybe<boolean>
  /** Returns a new random secret for a client; stores nothing. */
  makeSecret(): string
  /** Removes tokens that expired more than `retainSeconds` ago. Does nothing if `retainSeconds` is 0. */
  purgeExpired(): Promise<void>
  close(): void
}

const hourMs = 3_600_000
/** Soon after the start, so that tokens are purged on a gateway that restarts more often than once an hour. */
const firstPurgeMs = 300_000
const purgeLockMs = 60_000

export function makeOAuth(services: OAuthServices): OAuth {
  const { store, clock, ids, settings, oauth, engine } = services
  const links = makeHookLinks(services.upstream, clock, {
    insecure: settings.upstream.insecure,
    ...(settings.upstream.publicUrlsOnly === true ? { publicOnly: true } : {}),
  })
  const byApi = new WeakMap<ApiDefinition, ApiOAuth>()
  const known = makeKnownClients(
    (apiId, clientId) => when(store.records.get(oauthNames(apiId).client(clientId)), (text) => text !== undefined),
    clock,
  )

  const of = (api: ApiDefinition): ApiOAuth => {
    const made = byApi.get(api) ?? makeApiOAuth(api, services, known, links)
    byApi.set(api, made)
    return made
  }

  const purgeExpired = async () => {
    if (oauth.retainSeconds <= 0) return
    if (!(await store.records.add(purgeLock, '1', purgeLockMs))) return
    try {
      for (const api of engine().definitions()) {
        const { clients, tokens } = of(api)
        for (const { id } of await clients.list()) await tokens.purge(id)
        await clock.breathe()
      }
    } finally {
      await store.records.remove(purgeLock)
    }
  }
  const stopPurging = purgeRegularly(purgeExpired, services)

  return {
    settings: oauth,
    of,
    clientExists: known.isThere,
    makeSecret: () => longText(ids),
    purgeExpired,
    close() {
      stopPurging()
      links.close()
    },
  }
}

function makeApiOAuth(api: ApiDefinition, services: OAuthServices, known: KnownClients, links: HookLinks): ApiOAuth {
  const { store, clock, ids, log, passwords, signals, settings, oauth } = services
  const { sessionCache, keyLock, policies } = services.engine()
  const { oauthOnKeychangeUrl: url, sharedSecret } = api.document.notifications
  const clients = makeClientStore(api, { store, clock, changed: (id) => known.forget(api.id, id) })
  const tokens = makeTokenStore(api, { store, clock, ids, log, settings, oauth, sessionCache, keyLock, signals })
  const rejections = makeRejections(oauth)
  const shared = { clients, tokens, records: store.records, clock, ids, oauth, rejections, policies }
  const notify = (storedName: string) => {
    signals.publish({ kind: 'key-changed', storedName }).catch((cause: unknown) => {
      log.warn('other nodes could not be notified of a changed user', { reason: String(cause) })
    })
  }
  return {
    clients,
    tokens,
    authorization: makeAuthorization(api, shared),
    token: makeTokenEndpoint(api, {
      ...shared,
      users: makeUsers(api, { sessions: store.sessions, sessionCache, keyLock, passwords, clock, notify }),
      notifyOfGrant: makeGrantNotifier(
        { id: api.id, url, sharedSecret },
        { links, clock, log, vendor: settings.vendor.toLowerCase() },
      ),
    }),
  }
}

/** Purges expired tokens every hour and when a signal requests it. Returns a function that stops this. */
function purgeRegularly(purgeExpired: () => Promise<void>, { clock, log, signals, oauth }: OAuthServices): () => void {
  const purge = () =>
    purgeExpired().catch((cause: unknown) => log.error('cannot purge expired tokens', { reason: String(cause) }))
  let cancel: Cancel | undefined
  let isClosed = false
  const purgeIn = (delayMs: Millis) => {
    if (isClosed) return
    cancel = clock.after(delayMs, () => void purge().then(() => purgeIn(hourMs)))
  }
  if (oauth.retainSeconds > 0) purgeIn(firstPurgeMs)
  const unsubscribe = signals.subscribe((signal) => {
    if (signal.kind === 'purge-expired-tokens') void purge()
  })
  return () => {
    isClosed = true
    unsubscribe()
    cancel?.()
  }
}
