/**
 * The gateway without sockets, files and system clock. This file joins its parts: services (what stages use), the
 * reloader (what is served), the request handler and the signal handler.
 */
import type { KeySets } from '../auth/jwt/key-sets.ts'
import type { ApiDefinition } from '../definition/api-definition.ts'
import type { GatewayRequest, GatewayResponse } from '../http/messages.ts'
import type { Maybe } from '../lib/maybe.ts'
import type { BreakerStatus } from '../observability/circuit-breaker/breaker-rule.ts'
import type { Handle } from '../ports/front-end.ts'
import type { StreamRoute } from '../route/stream-route.ts'
import type { OrgRegistry } from '../session/org-registry.ts'
import type { PolicyBook } from '../session/policies/policy-book.ts'
import type { SessionCache } from '../session/session-cache.ts'
import { createServices } from './create-services.ts'
import type { EngineOptions } from './engine-options.ts'
import { makeReloader } from './reloader.ts'
import type { ReloadReport } from './report.ts'
import { type Explanation, makeRequestHandler } from './request-handler.ts'
import { hashOfSnapshot } from './routing-snapshot.ts'
import { makeSignalHandler } from './signal-handler.ts'
import { noSnapshot } from './swap-routing-snapshot.ts'

export interface Engine {
  /** Answers a request. Never throws, never rejects; without a promise where nothing had to be waited for. */
  handle(request: GatewayRequest): Maybe<GatewayResponse>
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
  readonly sessionCache: SessionCache
  readonly orgs: OrgRegistry
  /** Key sets of token issuers, to be forgotten on wish; `undefined`: none are fetched here. */
  readonly keySets: KeySets | undefined
  /** Circuit breakers of what is served, and how they stand. */
  breakers(): readonly BreakerStatus[]
  /** Stops reacting to signals and releases the APIs. The caller closes the store and the client of upstreams. */
  close(): void
}

export function makeEngine(options: EngineOptions): Engine {
  const current = noSnapshot()
  const services = createServices(options, current)
  const { reload, report } = makeReloader(options, services, current)
  const { handle, explain } = makeRequestHandler(services, current)
  const { sessionCache, orgs, keySets, breakers, uptime, policies } = services
  const unsubscribe = options.signals.subscribe(makeSignalHandler(services, reload))
  return {
    ...{ reload, report, policies, sessionCache, orgs, keySets },
    handle: (request) => handle(request, 0),
    handleOn: (port) => (request) => handle(request, port),
    streamOn: (port) => current.snapshot?.streams.get(port),
    explain: (request, dry, nowMicros, port = 0) => explain(request, dry, nowMicros, port),
    definitions: () => current.snapshot?.apis.map(({ definition }) => definition) ?? [],
    servedHash: () => (current.snapshot === undefined ? '' : hashOfSnapshot(current.snapshot)),
    breakers: () => breakers.list(),
    close() {
      unsubscribe()
      uptime?.close()
      for (const api of current.snapshot?.apis ?? []) api.release()
    },
  }
}
