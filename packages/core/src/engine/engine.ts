/**
 * The gateway without sockets, files and system clock: `handle` a request, `reload` definitions and policies.
 * Its parts stand in pipeline/ (the request's way), route/ (which API) and reload/ (what is served).
 */

import { type KeySets, makeKeySets } from '../auth/jwt/key-sets.ts'
import { makeByteBudget } from '../cache/byte-budget.ts'
import type { ApiDefinition } from '../definition/api-definition.ts'
import type { DefinitionSource } from '../definition/definition-source.ts'
import type { ReadTemplate } from '../definition/template-files.ts'
import { rejections } from '../http/errors.ts'
import { headerOf } from '../http/headers.ts'
import type { Answer, GatewayRequest } from '../http/http.ts'
import { type Maybe, when } from '../lib/maybe.ts'
import type { SecretLookup } from '../lib/secret-lookup.ts'
import type { Analytics } from '../observability/analytics/analytics.ts'
import type { BreakerChange, BreakerStatus } from '../observability/circuit-breaker/breaker-rule.ts'
import { makeBreakers } from '../observability/circuit-breaker/breakers.ts'
import { type Events, fireBreaker } from '../observability/events/events.ts'
import { makeUptime } from '../observability/uptime/uptime.ts'
import type { CompiledApi } from '../pipeline/compile/compiled-api.ts'
import { makeLoops } from '../pipeline/compile/loops.ts'
import type { Endpoint } from '../pipeline/contract/endpoint.ts'
import type { RecordSink } from '../pipeline/contract/record-sink.ts'
import type { Tools } from '../pipeline/contract/tools.ts'
import { makeTrace, type Trace, type TracedStage } from '../pipeline/contract/trace.ts'
import { type StageOrder, stageOrder } from '../pipeline/order.ts'
import { type FindLayout, makeErrorAnswers } from '../pipeline/shared/render-errors.ts'
import type { ApiPorts } from '../ports/api-ports.ts'
import type { Brotli } from '../ports/brotli.ts'
import type { Certificates } from '../ports/certificates.ts'
import type { Clock } from '../ports/clock.ts'
import type { Fetch } from '../ports/fetch.ts'
import type { Handle } from '../ports/front-end.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Passwords } from '../ports/passwords.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { Signal, Signals } from '../ports/signals.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Store } from '../ports/store.ts'
import type { Upstream } from '../ports/upstream.ts'
import { cleanPath } from '../route/clean-path.ts'
import type { ListenPathTable } from '../route/listen-path-table.ts'
import type { StreamRoute } from '../route/stream-route.ts'
import type { Keyring } from '../session/keyring/keyring.ts'
import { makeKeyring } from '../session/keyring/make-keyring.ts'
import { makeOrgRegistry } from '../session/keyring/make-org-registry.ts'
import type { OrgRegistry } from '../session/keyring/org-registry.ts'
import { emptyPolicyBook, type PolicyBook } from '../session/policies/policy-book.ts'
import { coalesce } from './coalesce.ts'
import { load } from './load.ts'
import type { ReloadReport } from './report.ts'
import { portsOf } from './settle-ports.ts'
import { hashOfTable, type Table } from './table.ts'
import { makeUnrouted } from './unrouted.ts'

export interface EngineOptions {
  readonly clock: Clock
  readonly store: Store
  readonly signals: Signals
  readonly upstream: Upstream
  readonly log: Log
  readonly ids: Ids
  readonly passwords: Passwords
  readonly settings: GatewaySettings
  readonly source: DefinitionSource
  /** Opens ports that APIs have of their own. Absent: none is opened, and `handleOn` still tells them apart. */
  readonly ports?: ApiPorts | undefined
  /** Public keys that check tokens; absent: tokens signed with one are refused. */
  readonly signatures?: Signatures
  /** Reads key sets of token issuers; absent: none can be had. */
  readonly fetch?: Fetch
  /** Packs and unpacks by brotli; absent: body transforms leave such bodies as they are. */
  readonly brotli?: Brotli
  /** Client certificates; absent: none is known. */
  readonly certificates?: Certificates
  /** Paths below listen paths that the gateway answers itself. Default: none. */
  readonly endpoints?: readonly Endpoint[]
  /** Whether an API still has the OAuth client of an access token. Absent: APIs with OAuth reject every request. */
  readonly clientExists?: (apiId: string, clientId: string) => Maybe<boolean>
  /** Hear of every request. None: recording costs nothing. */
  readonly records?: readonly RecordSink[]
  /** Hears of what web hooks and event logs are for. None: nothing is fired. */
  readonly events?: Events | undefined
  /** Keeps analytics records. None: none are made. */
  readonly analytics?: Analytics | undefined
  /** Hears of every reload, whoever asked for it, after its table serves. */
  readonly onReload?: (report: ReloadReport) => void
  /** Hears of every circuit breaker that opens or closes. */
  readonly onBreaker?: (change: BreakerChange) => void
  /** Layouts of errors from files. */
  readonly findLayout?: FindLayout
  /** What `env://NAME` and `secrets://NAME` in definitions stand for; without it they are empty. */
  readonly secret?: SecretLookup
  /** Reads template files that definitions name (`template_mode: "file"`); without it such definitions cannot be loaded. */
  readonly readTemplate?: ReadTemplate
  /** Another order of stages; for tests that put stages in between. */
  readonly order?: StageOrder
}

export interface Explanation {
  readonly answer: Answer
  readonly apiId: string | undefined
  readonly stages: readonly TracedStage[]
}

export interface Engine {
  /** Answers a request. Never throws, never rejects; without a promise where nothing had to be waited for. */
  handle(request: GatewayRequest): Maybe<Answer>
  /** The same for requests that came by a port that APIs have of their own; the gateway's own port has no number here. */
  handleOn(port: number): Handle
  /** Where connections to a port go on whose bytes pass as they are; `undefined`: it is no such port. */
  streamOn(port: number): StreamRoute | undefined
  /**
   * Sends a request through and tells what each stage did. Dry: nothing is counted and no upstream is asked. `port`: by
   * which it came; default 0, the gateway's.
   */
  explain(request: GatewayRequest, dry: boolean, nowMicros: () => number, port?: number): Promise<Explanation>
  /**
   * Reads definitions and policies anew and swaps. Calls coalesce: each settles with a reload that began after it.
   */
  reload(): Promise<ReloadReport>
  /** Of the last reload; `undefined` before the first. */
  report(): ReloadReport | undefined
  definitions(): readonly ApiDefinition[]
  /** Of what is served, definitions and policies: equal where the same is served. Empty before the first load. */
  servedHash(): string
  policies(): PolicyBook
  readonly keyring: Keyring
  readonly orgs: OrgRegistry
  /** Key sets of token issuers, to be forgotten on wish; `undefined`: none are fetched here. */
  readonly keySets: KeySets | undefined
  /** Circuit breakers of what is served, and how they stand. */
  breakers(): readonly BreakerStatus[]
  /** Stops listening to signals and lets go of upstream connections. The store is the caller's. */
  close(): Promise<void>
}

export function makeEngine(options: EngineOptions): Engine {
  const { clock, store, signals, upstream, log, settings, source } = options
  const order = options.order ?? stageOrder
  let table: Table | undefined
  let lastReport: ReloadReport | undefined
  let servedOnce = false

  const policies = () => table?.policies.book ?? emptyPolicyBook
  const keyring = makeKeyring({ store, settings, policies, clock, log })
  const orgs = makeOrgRegistry({ store, settings, clock, log })
  const records = options.records ?? []
  const errors = makeErrorAnswers(settings, options.findLayout)
  const breakers = makeBreakers(clock, (change) => {
    const { apiId, path, method } = change.rule
    log.warn(change.kind === 'tripped' ? 'a circuit breaker opened' : 'a circuit breaker closed', {
      api: apiId,
      path,
      method,
    })
    options.onBreaker?.(change)
    const api = table?.byId.get(apiId)?.definition
    if (api !== undefined && options.events !== undefined)
      fireBreaker(options.events, change.kind, { api, path, at: clock.now() })
  })
  const { fetch, signatures, certificates } = options
  const keySets = fetch === undefined ? undefined : makeKeySets({ fetch, signatures, clock, log, ...settings.keySets })
  const definitions = () => table?.apis.map((api: CompiledApi) => api.definition) ?? []
  const uptime =
    settings.uptime === undefined
      ? undefined
      : makeUptime({
          settings: settings.uptime,
          clock,
          ids: options.ids,
          log,
          upstream,
          records: store.records,
          events: options.events,
          insecure: settings.upstream.insecure,
        })
  const tools: Tools = {
    uptime,
    brotli: options.brotli,
    clientExists: options.clientExists,
    policies,
    signals,
    signatures,
    keySets,
    certificates,
    events: options.events,
    analytics: options.analytics,
    breakers,
    loops: makeLoops(() => table),
    clock,
    store,
    upstream,
    log,
    settings,
    keyring,
    orgs,
    errors,
    gathering: makeByteBudget(settings.cache.maxBytes),
    records,
    passwords: options.passwords,
    ids: options.ids,
    secret: options.secret,
  }
  const unrouted = makeUnrouted(tools)
  const findApi = (apiId: string) => table?.byId.get(apiId)
  const { skipUrlCleaning } = settings.routing

  const handle = (
    request: GatewayRequest,
    routes: ListenPathTable<CompiledApi> | undefined,
    trace: Trace | undefined,
  ): Maybe<Answer> => {
    if (settings.maxBodyBytes > 0 && (request.bodyLength ?? 0) > settings.maxBodyBytes) {
      return unrouted.refuse(rejections.bodyTooLarge, request)
    }
    if (!skipUrlCleaning) {
      const clean = cleanPath(request.path)
      if (clean !== undefined) return unrouted.redirect(clean, request)
    }
    const found = routes?.resolve(headerOf(request.headers, 'host') ?? '', request.path)
    if (found === undefined) {
      return unrouted.refuse(servedOnce ? rejections.notFound : rejections.nothingLoaded, request)
    }
    return found.slot.handle(request, found.byId ? 0 : found.matchedLength, trace)
  }

  const reload = coalesce(async (): Promise<ReloadReport> => {
    const startedAt = clock.now()
    const snapshot = await source.read()
    const { endpoints = [], secret = () => undefined, readTemplate = () => undefined } = options
    const loaded = await load({
      ...{ snapshot, running: table, tools, order, endpoints, secret, readTemplate, findApi },
      ports: options.ports,
    })
    if (loaded.table !== undefined) {
      const before = table
      table = loaded.table
      options.ports?.serve(portsOf(definitions()))
      servedOnce ||= table.apis.length > 0
      if (before === undefined || isOtherThan(before, table, loaded.report)) keyring.renew()
      for (const api of loaded.retired) api.release()
      uptime?.serve(table.apis.map(({ definition }) => definition))
    }
    lastReport = { startedAt, durationMs: clock.now() - startedAt, ...loaded.report }
    tellReport(lastReport, snapshot.definitionsProblem, log)
    options.onReload?.(lastReport)
    return lastReport
  })

  const emptyCache = async (apiId: string) => {
    try {
      await store.responses.invalidate(apiId)
    } catch (cause) {
      log.error('a cache could not be emptied', { api: apiId, cause: String(cause) })
    }
  }

  /** Whatever was kept may have been changed by others meanwhile. */
  const catchUp = () => {
    keyring.renew()
    orgs.forgetAll()
    void reload()
  }

  const hear = (signal: Signal) => {
    if (signal.kind === 'key-changed') {
      keyring.forget(signal.storedName)
      // Nodes of other makers name organisations and keys in one kind of message.
      orgs.forget(signal.storedName)
    } else if (signal.kind === 'gap') catchUp()
    else if (signal.kind === 'key-sets-changed') keySets?.forget(signal.apiId)
    else if (signal.kind === 'org-changed') orgs.forget(signal.orgId)
    else if (signal.kind === 'reload') void reload()
    else if (signal.kind === 'cache-invalidated') void emptyCache(signal.apiId)
  }
  const stopHearing = signals.subscribe(hear)

  return {
    handle: (request) => handle(request, table?.routes, undefined),
    handleOn: (port) => (request) => handle(request, table?.onPorts.get(port), undefined),
    streamOn: (port) => table?.streams.get(port),
    async explain(request, dry, nowMicros, port = 0) {
      const trace = makeTrace(dry, nowMicros)
      const routes = port === 0 ? table?.routes : table?.onPorts.get(port)
      const found = routes?.resolve(headerOf(request.headers, 'host') ?? '', request.path)
      const answer = await when(handle(request, routes, trace), (made) => made)
      return { answer, apiId: found?.slot.definition.id, stages: trace.stages }
    },
    reload,
    report: () => lastReport,
    definitions,
    servedHash: () => (table === undefined ? '' : hashOfTable(table)),
    policies,
    keyring,
    orgs,
    keySets,
    breakers: () => breakers.list(),
    async close() {
      stopHearing()
      uptime?.close()
      for (const api of table?.apis ?? []) api.release()
      await upstream.close()
    },
  }
}

function isOtherThan(before: Table, after: Table, report: Pick<ReloadReport, 'changed' | 'removed'>): boolean {
  return before.policiesHash !== after.policiesHash || report.changed.length > 0 || report.removed.length > 0
}

function tellReport(report: ReloadReport, folderProblem: string | undefined, log: Log): void {
  if (folderProblem !== undefined) log.error('the definitions cannot be read', { reason: folderProblem })
  if (report.dropped !== undefined)
    log.error('the reload was dropped, what was served goes on', { reason: report.dropped })
  if (report.policies.problem !== undefined)
    log.error('the policies cannot be read', { reason: report.policies.problem })
  for (const failure of report.failed) {
    log.error('a definition cannot be loaded', { ...failure })
  }
  for (const { apiId, from, to } of report.renamed) {
    log.warn(`Listen path collision, changed to ${to}`, { api: apiId, from })
  }
  log.info('definitions loaded', {
    apis: report.loaded,
    changed: report.changed.length,
    removed: report.removed.length,
    ms: report.durationMs,
  })
}
