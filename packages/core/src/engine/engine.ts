/**
 * The gateway without sockets, files and system clock. This file creates and connects the services that stages use,
 * the reloader, the request handler and the signal handler.
 */
import type { KeySets } from '../auth/jwt/key-set-cache.ts'
import type { ApiDefinition } from '../definition/api-definition.ts'
import type { GatewayRequest, GatewayResponse } from '../http/messages.ts'
import { dropCookies, dropSetCookies } from '../http/own-cookies.ts'
import { type Maybe, when } from '../lib/maybe.ts'
import type { BreakerStatus } from '../observability/circuit-breaker/breaker-rule.ts'
import type { RunEventScript } from '../observability/events/script-handler.ts'
import type { Handle } from '../ports/front-end.ts'
import type { StreamRoute } from '../route/stream-route.ts'
import type { OrgSessionCache } from '../session/org-session-cache.ts'
import type { PolicyBook } from '../session/policies/policy-book.ts'
import type { KeyLock } from '../session/registry/key-lock.ts'
import type { SessionCache } from '../session/session-cache.ts'
import { createServices } from './create-services.ts'
import { type DebugRequest, makeDebugRequest } from './debug-request.ts'
import type { EngineOptions } from './engine-options.ts'
import { type FindDefinitionProblems, makeFindDefinitionProblems } from './find-definition-problems.ts'
import { type FindStageConfigProblem, makeFindStageConfigProblem } from './find-stage-config-problem.ts'
import type { ReloadReport } from './reload-report.ts'
import { makeReloader } from './reloader.ts'
import { type Explanation, makeRequestHandler } from './request-handler.ts'
import { hashOfSnapshot } from './routing-snapshot.ts'
import { makeSignalHandler } from './signal-handler.ts'
import { makeCurrentSnapshot } from './swap-routing-snapshot.ts'

export interface Engine {
  /** Handles a request. Never throws or rejects. Returns a promise only if the request had to wait. */
  handle(request: GatewayRequest): Maybe<GatewayResponse>
  /** Returns the handler for requests on a TCP port that APIs have of their own. `handle` serves the gateway's port. */
  handleOn(port: number): Handle
  /** Returns the target of raw connections to a TCP port; `undefined` if no API proxies raw connections there. */
  streamOn(port: number): StreamRoute | undefined
  /**
   * Handles a request and returns what each stage did. A dry run counts nothing and calls no upstream. `port` is the
   * TCP port that received the request; default 0, the gateway's.
   */
  explain(request: GatewayRequest, dry: boolean, nowMicros: () => number, port?: number): Promise<Explanation>
  /** Sends a request through a definition that is not served. */
  readonly debugRequest: DebugRequest
  /** Checks the custom stages of a definition that is not served. */
  readonly findStageConfigProblem: FindStageConfigProblem
  /** Checks a definition that is not served, as `turnpike check` does. */
  readonly findDefinitionProblems: FindDefinitionProblems
  /** Reloads definitions and policies. Concurrent calls share reloads; each settles with one that began after the call. */
  reload(): Promise<ReloadReport>
  /** Reloads, and compiles every API again with the current settings: for settings that change while it runs. */
  recompile(): Promise<ReloadReport>
  /** Report of the last reload; `undefined` before the first. */
  report(): ReloadReport | undefined
  definitions(): readonly ApiDefinition[]
  /** Hash of the served definitions and policies; equal on nodes that serve the same. Empty before the first load. */
  servedHash(): string
  policies(): PolicyBook
  readonly sessionCache: SessionCache
  /** Everything that reads a session and writes it back holds this lock. */
  readonly keyLock: KeyLock
  readonly orgs: OrgSessionCache
  /** Cached key sets of token issuers; `undefined` if the engine has no `fetch`. */
  readonly keySets: KeySets | undefined
  /** State of the circuit breakers of the served APIs. */
  breakers(): readonly BreakerStatus[]
  /** Runs a script of an event handler in the background; `undefined`: this gateway runs no scripts. */
  readonly runEventScript: RunEventScript | undefined
  /** Unsubscribes from signals and releases the APIs. The caller closes the store and the upstream client. */
  close(): void
}

export function makeEngine(options: EngineOptions): Engine {
  const current = makeCurrentSnapshot()
  const services = createServices(options, current)
  const { reload, recompile, report } = makeReloader(options, services, current)
  const { handle: handleRequest, explain } = makeRequestHandler(services, current)
  const handle = withoutOwnCookies(handleRequest, options.settings.upstream.ownCookies ?? [])
  const { sessionCache, keyLock, orgs, keySets, breakers, uptime, policies } = services
  const unsubscribe = options.signals.subscribe(makeSignalHandler(services, reload))
  return {
    ...{ reload, recompile, report, policies, sessionCache, keyLock, orgs, keySets },
    debugRequest: makeDebugRequest(options, services, current),
    findStageConfigProblem: makeFindStageConfigProblem(options, services),
    findDefinitionProblems: makeFindDefinitionProblems(options, services),
    handle: (request) => handle(request, 0),
    handleOn: (port) => (request) => handle(request, port),
    streamOn: (port) => current.snapshot?.streams.get(port),
    explain: (request, dry, nowMicros, port = 0) => explain(request, dry, nowMicros, port),
    definitions: () => current.snapshot?.apis.map(({ definition }) => definition) ?? [],
    servedHash: () => (current.snapshot === undefined ? '' : hashOfSnapshot(current.snapshot)),
    breakers: () => breakers.list(),
    runEventScript: services.eventScripts?.run,
    close() {
      unsubscribe()
      uptime?.close()
      services.eventScripts?.close()
      for (const api of current.snapshot?.apis ?? []) api.release()
    },
  }
}

type HandleOnPort = (request: GatewayRequest, port: number) => Maybe<GatewayResponse>

/** Neither the stages nor an upstream see the gateway's own cookies, and no response sets them. */
function withoutOwnCookies(handle: HandleOnPort, names: readonly string[]): HandleOnPort {
  if (names.length === 0) return handle
  const clean = (response: GatewayResponse) => {
    dropSetCookies(response.headers, names)
    return response
  }
  return (request, port) => {
    dropCookies(request.headers, names)
    return when(handle(request, port), clean)
  }
}
