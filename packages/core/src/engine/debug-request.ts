/**
 * Sends one request through a definition that is not served, for POST /svc/debug. Keys, rates, quotas and upstreams are
 * the real ones. Nothing of the definition stays: no route, no cached response, no analytics record.
 */

import type { ApiDefinition } from '../definition/api-definition.ts'
import type { SourceDocument } from '../definition/definition-source.ts'
import { needsGraphql } from '../definition/graphql-settings.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import { withScripts } from '../definition/scripts/load-scripts.ts'
import { withTemplateFiles } from '../definition/template-files.ts'
import type { HeaderPairs } from '../http/headers.ts'
import { isStream } from '../http/listen-address.ts'
import type { GatewayRequest, GatewayResponse } from '../http/messages.ts'
import { loadGraphql } from '../lib/graphql/load-graphql.ts'
import { hashText } from '../lib/hash/hash-key-name.ts'
import { compileApi } from '../pipeline/compile/compiled-api.ts'
import type { OrderEntry, RecordStage } from '../pipeline/contract/stage.ts'
import type { StageServices } from '../pipeline/contract/stage-services.ts'
import { makeHiddenTexts, type StageEnd, type Trace } from '../pipeline/contract/stage-trace.ts'
import { placeStages } from '../pipeline/place-stages.ts'
import { scriptLogFields } from '../pipeline/scripts/script-scopes.ts'
import { stageOrder } from '../pipeline/stage-order.ts'
import type { Log, LogFields } from '../ports/log.ts'
import { type Counter, counterKey, type ResponseStore, type Store } from '../ports/store.ts'
import type { Upstream, UpstreamRequest } from '../ports/upstream.ts'
import { makeSessionCache } from '../session/session-cache.ts'
import type { Services } from './create-services.ts'
import type { EngineOptions } from './engine-options.ts'
import { apiWithId, type CurrentSnapshot } from './swap-routing-snapshot.ts'

/** The definition in classic notation, with the document from which it was derived. */
export interface DebuggedDefinition {
  readonly text: string
  readonly sidecar?: string
}

export type DebugResult =
  | { readonly problem: string; readonly path: readonly (string | number)[]; readonly definition: undefined }
  | {
      readonly problem: undefined
      readonly definition: ApiDefinition
      readonly response: GatewayResponse
      /** The request that the upstream received; `undefined`: the gateway responded itself. */
      readonly sent:
        | {
            readonly method: string
            readonly path: string
            readonly headers: HeaderPairs
            readonly body: UpstreamRequest['body']
          }
        | undefined
      /** Headers and body as the stages left them; `body` undefined: no stage read it. */
      readonly left: Left
      /** Replaces secrets of the definition in a text. */
      shown(text: string): string
    }

interface Left {
  readonly headers: HeaderPairs
  readonly body: Uint8Array | undefined
}

/** Receives what happens, in order. Texts can contain secrets, which `shown` of the result replaces. */
export interface DebugListener {
  log(level: keyof Log, message: string, fields: LogFields | undefined): void
  started(stage: string, phase: string): void
  finished(stage: string, phase: string, micros: number, end: StageEnd | undefined): void
}

/** `makeRequest`: makes the request for the listen path of the definition. */
export type DebugRequest = (
  definition: DebuggedDefinition,
  makeRequest: (listenPath: string) => GatewayRequest,
  listener: DebugListener,
  nowMicros: () => number,
) => Promise<DebugResult>

export function makeDebugRequest(options: EngineOptions, services: Services, current: CurrentSnapshot): DebugRequest {
  const { endpoints = [], secret = () => undefined, readTemplate = () => undefined, scriptFiles } = options
  const order = placeStages(options.order ?? stageOrder, services.customStages.plugins)
  return async ({ text, sidecar }, makeRequest, listener, nowMicros) => {
    const hash = hashText(text + (sidecar ?? ''), 'sha256')
    const document: SourceDocument | undefined =
      sidecar === undefined ? undefined : { name: 'oas', hash, text: sidecar, problem: undefined }
    const parsed = parseDefinition(text, 'spec', hash, { secret, sidecar: document })
    if (parsed.definition === undefined) return rejected(parsed.problem.message, parsed.problem.path)
    const hidden = makeHiddenTexts()
    for (const value of parsed.definition.secrets?.values ?? []) hidden.hide(value)
    const complete = withTemplateFiles(parsed.definition, readTemplate).definition
    const scripted = await withScripts(complete, services.settings.scripts, scriptFiles)
    if ('problem' in scripted) return rejected(hidden.shown(scripted.problem), ['custom_middleware_bundle'])
    const { definition } = scripted
    const { unloadedBundle } = definition.scripts ?? {}
    if (unloadedBundle !== undefined) return rejected(hidden.shown(unloadedBundle), ['custom_middleware_bundle'])
    if (isStream(definition)) return rejected('forwards raw connections, which have no requests', ['protocol'])
    if (needsGraphql(definition)) await loadGraphql()
    let sent: UpstreamRequest | undefined
    const isolated = isolate(services, hash, listener, (request) => {
      sent = request
    })
    const stageProblem = await services.customStages.prepare(definition, isolated)
    if (stageProblem !== undefined) return rejected(hidden.shown(stageProblem.message), stageProblem.path)
    const request = makeRequest(definition.listenPath)
    let left: Left = { headers: request.headers, body: undefined }
    const keep = keepOutgoing((kept) => {
      left = kept
    })
    const records = [...order.records, keep]
    const findApi = (id: string) => apiWithId(current, id)
    const api = compileApi(definition, isolated, { order: { ...order, records }, endpoints, findApi })
    try {
      const trace = makeListenerTrace(listener, nowMicros, hidden.hide)
      const matched = definition.listenPath.replace(/\/$/, '').length
      const response = await api.handle(request, matched, trace)
      return { problem: undefined, definition, response, sent, left, shown: hidden.shown }
    } finally {
      api.release()
    }
  }
}

/** Runs after all stages. */
function keepOutgoing(keep: (left: Left) => void): OrderEntry<RecordStage> {
  const run: RecordStage['run'] = ({ outgoing }) => keep({ headers: outgoing.headers.slice(), body: outgoing.body })
  return { name: 'replayed-request', phase: '7-record', make: () => ({ run }) }
}

function rejected(problem: string, path: readonly (string | number)[]): DebugResult {
  return { problem, path, definition: undefined }
}

/** The services without what would keep something of the definition, or mix it with a served API of the same id. */
function isolate(
  services: Services,
  hash: string,
  listener: DebugListener,
  onSend: (request: UpstreamRequest) => void,
): StageServices {
  const { settings, policies, clock } = services
  const log = makeListenerLog(listener)
  const store: Store = {
    ...bound(services.store),
    counters: withOwnApiCounters(services.store.counters, hash),
    responses: noResponses,
  }
  const { breakers: _breakers, uptime: _uptime, analytics: _analytics, watcher: _watcher, ...shared } = services
  const sessionCache = makeSessionCache({ store, settings, policies, clock, log })
  return { ...shared, store, log, sessionCache, records: [], upstream: observed(services.upstream, onSend) }
}

/** Stores may be classes, whose methods need their object. */
function bound(store: Store): Store {
  return { ...store, check: () => store.check(), close: () => Promise.resolve() }
}

/** Rates of the API itself are counted by the content of the definition, those of keys and organisations as always. */
function withOwnApiCounters(counters: Store['counters'], hash: string): Store['counters'] {
  const own = (counter: Counter): Counter => {
    if (counter.kind !== 'api') return counter
    const id = { ...counter, subject: `${counter.subject}-${hash}` }
    return { ...id, id: counterKey(id) }
  }
  return {
    consume: (counter, amount) => counters.consume(own(counter), amount),
    readQuota: (id) => counters.readQuota(id),
    resetQuotas: (ids) => counters.resetQuotas(ids),
    unblock: (ids) => counters.unblock(ids),
  }
}

const noResponses: ResponseStore = {
  get: () => undefined,
  version: () => 0,
  put: () => undefined,
  remove: () => undefined,
  invalidate: () => undefined,
}

function observed(upstream: Upstream, onSend: (request: UpstreamRequest) => void): Upstream {
  return {
    connect(origin, options) {
      const link = upstream.connect(origin, options)
      return {
        send(request) {
          onSend(request)
          return link.send(request)
        },
        release: () => link.release(),
      }
    },
    close: () => Promise.resolve(),
  }
}

function makeListenerLog(listener: DebugListener): Log {
  return {
    debug: (message, fields) => listener.log('debug', message, fields),
    info: (message, fields) => listener.log('info', message, fields),
    warn: (message, fields) => listener.log('warn', message, fields),
    error: (message, fields) => listener.log('error', message, fields),
  }
}

function makeListenerTrace(listener: DebugListener, nowMicros: () => number, hide: Trace['hide']): Trace {
  let current: { stage: string; phase: string; startedAt: number } | undefined
  return {
    dry: false,
    enter(stage, phase) {
      current = { stage, phase, startedAt: nowMicros() }
      listener.started(stage, phase)
    },
    note: (text) => listener.log('debug', text, undefined),
    scriptLine: (text) => listener.log('info', text, scriptLogFields),
    hide,
    leave(_, end) {
      if (current === undefined) return
      const { stage, phase, startedAt } = current
      listener.finished(stage, phase, nowMicros() - startedAt, end)
      current = undefined
    },
  }
}
