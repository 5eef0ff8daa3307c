/** Creates the services that the stages use, once per engine, from its ports and settings. */

import { type KeySets, makeKeySets } from '../auth/jwt/key-set-cache.ts'
import { makeByteBudget } from '../cache/byte-budget.ts'
import { type Breakers, makeBreakers } from '../observability/circuit-breaker/breakers.ts'
import { fireBreaker } from '../observability/events/events.ts'
import { Uptime } from '../observability/uptime/uptime.ts'
import { makeLoops } from '../pipeline/compile/make-loops.ts'
import type { Scripts } from '../pipeline/contract/scripts.ts'
import type { StageServices } from '../pipeline/contract/stage-services.ts'
import { type CustomStages, makeCustomStages } from '../pipeline/custom-stages/make-custom-stages.ts'
import { readGatewayOverrides } from '../pipeline/errors/error-overrides.ts'
import { makeRejectionRenderer } from '../pipeline/errors/render-rejections.ts'
import { type EventScripts, makeEventScripts } from '../pipeline/scripts/event-scripts.ts'
import { LoadingScopes, makeScripts } from '../pipeline/scripts/script-scopes.ts'
import { type Discovery, makeDiscovery } from '../route/discovery/discovery.ts'
import { makeOrgSessionCache } from '../session/org-session-cache.ts'
import { emptyPolicyBook, type PolicyBook } from '../session/policies/policy-book.ts'
import { type KeyLock, makeKeyLock } from '../session/registry/key-lock.ts'
import { makeScriptKeys } from '../session/registry/script-keys.ts'
import { makeSessionCache, type SessionCache } from '../session/session-cache.ts'
import type { EngineOptions } from './engine-options.ts'
import { apiWithId, type CurrentSnapshot } from './swap-routing-snapshot.ts'

export interface Services extends StageServices {
  readonly policies: () => PolicyBook
  readonly keySets: KeySets | undefined
  readonly breakers: Breakers
  readonly discovery: Discovery | undefined
  readonly uptime: Uptime | undefined
  /** Scripts of event handlers; absent: this gateway runs none. */
  readonly eventScripts?: EventScripts | undefined
  readonly loadingScripts?: LoadingScopes | undefined
  readonly customStages: CustomStages
}

export function createServices(options: EngineOptions, current: CurrentSnapshot): Services {
  const { clock, store, upstream, log, settings, signals, ids, passwords, secret } = options
  const { tokenVerifier, certificates, brotli, fetch, clientExists } = options
  const { events, analytics, accessLog, watcher, tracing, records = [] } = options
  const discovery = createDiscovery(options)
  const policies = () => current.snapshot?.policies.book ?? emptyPolicyBook
  const sessionCache = makeSessionCache({ store, settings, policies, clock, log })
  const keyLock = makeKeyLock(options.sharedKeyLock)
  return {
    ...{ clock, store, upstream, log, settings, signals, ids, passwords, secret },
    ...{ tokenVerifier, certificates, brotli, fetch, clientExists },
    ...{ events, analytics, accessLog, watcher, tracing, records },
    ...{ policies, sessionCache, keyLock, discovery },
    customStages: makeCustomStages(options.stages ?? []),
    orgs: makeOrgSessionCache({ store, settings, clock }),
    errors: makeRejectionRenderer(settings, options.errorTemplates),
    errorOverrides: readGatewayOverrides(options.errorOverrides, log),
    keySets: createKeySets(options),
    breakers: createBreakers(options, current, discovery),
    uptime: createUptime(options),
    ...createScripts(options, current, { sessionCache, keyLock }),
    loops: makeLoops(() => current.snapshot),
    gathering: makeByteBudget(settings.cache.maxBytes),
  }
}

function createKeySets({ fetch, tokenVerifier, clock, log, settings }: EngineOptions): KeySets | undefined {
  if (fetch === undefined || tokenVerifier === undefined) return undefined
  return makeKeySets({ fetch, tokenVerifier, clock, log, ...settings.keySets })
}

interface CreatedScripts {
  readonly scripts: Scripts
  readonly eventScripts: EventScripts | undefined
  readonly loadingScripts: LoadingScopes
}

function createScripts(
  options: EngineOptions,
  current: CurrentSnapshot,
  session: { readonly sessionCache: SessionCache; readonly keyLock: KeyLock },
): CreatedScripts | undefined {
  const { scripts: runtime, store, signals, clock, log, settings, upstream } = options
  if (runtime === undefined) return undefined
  const apis = () => current.snapshot?.apis.map(({ definition }) => definition) ?? []
  const policies = () => current.snapshot?.policies.book ?? emptyPolicyBook
  const keys = makeScriptKeys({ store, signals, clock, log, settings, ...session, policies, apis })
  const loadingScripts = new LoadingScopes()
  const parts = { runtime, keys, upstream, clock, log, settings, apis, loading: loadingScripts }
  const files = options.scriptFiles
  return { scripts: makeScripts(parts), eventScripts: files && makeEventScripts(parts, files), loadingScripts }
}

function createDiscovery({ fetch, clock, log, settings }: EngineOptions): Discovery | undefined {
  const { discoveryLifetimeMs: lifetimeMs } = settings
  if (fetch === undefined) return undefined
  return makeDiscovery({ fetch, clock, log, ...(lifetimeMs === undefined ? {} : { lifetimeMs }) })
}

function createBreakers(
  { clock, log, events, onBreaker }: EngineOptions,
  current: CurrentSnapshot,
  discovery: Discovery | undefined,
): Breakers {
  return makeBreakers(clock, (change) => {
    const { apiId, path, method } = change.rule
    // The service may already know that the target has moved.
    if (change.kind === 'tripped') discovery?.forget(apiId)
    const message = change.kind === 'tripped' ? 'a circuit breaker opened' : 'a circuit breaker closed'
    log.warn(message, { api: apiId, path, method })
    onBreaker?.(change)
    const api = apiWithId(current, apiId)?.definition
    if (api !== undefined && events !== undefined) fireBreaker(events, change.kind, { api, path, at: clock.now() })
  })
}

function createUptime({ settings, clock, ids, log, upstream, store, events }: EngineOptions): Uptime | undefined {
  if (settings.uptime === undefined) return undefined
  const { insecure } = settings.upstream
  return new Uptime({ settings: settings.uptime, clock, ids, log, upstream, records: store.records, events, insecure })
}
