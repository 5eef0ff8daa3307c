/**
 * The routing snapshot that serves requests, and its swap at the end of a reload.
 *
 * A request reads the current snapshot once, when it arrives, and keeps the compiled API that it found. So each request
 * finishes with the definition it started with. These lookups during the request are the exceptions, and use the
 * snapshot that is current when they run: a rewrite to an API (`svc://`, also to the API itself), a version that is a
 * separate definition, the policies of a key, and the APIs and policies that a script uses when it saves a session. If
 * no API uses a TCP port any more or its protocol changes, the port closes, and its requests are broken off after
 * `graceMs` (`open-api-ports.ts` of package turnpike).
 *
 * At the swap, each compiled API that the next snapshot does not use (its definition was removed or changed, or all
 * APIs were compiled again because settings changed) releases its shares of connection pools and circuit breakers. A
 * pool without shares closes its idle connections at once and the others when their requests end.
 */
import type { Uptime } from '../observability/uptime/uptime.ts'
import type { CompiledApi } from '../pipeline/compile/compiled-api.ts'
import type { ApiPorts } from '../ports/api-ports.ts'
import type { SessionCache } from '../session/session-cache.ts'
import type { NextSnapshot } from './build-next-snapshot.ts'
import type { RoutingSnapshot } from './routing-snapshot.ts'
import { portsOf } from './settle-ports.ts'

/** Holds the snapshot; only `swapRoutingSnapshot` replaces it. */
export interface CurrentSnapshot {
  /** `undefined`: nothing was loaded yet. */
  snapshot: RoutingSnapshot | undefined
  /** Whether any snapshot so far had an API; until then unknown paths get a different 404 text. */
  hasHadApis: boolean
}

export const makeCurrentSnapshot = (): CurrentSnapshot => ({ snapshot: undefined, hasHadApis: false })

export function apiWithId({ snapshot }: CurrentSnapshot, apiId: string): CompiledApi | undefined {
  return snapshot?.apisById.get(apiId)
}

/** Services to update after a swap. */
export interface SnapshotFollowers {
  readonly ports: ApiPorts | undefined
  readonly sessionCache: Pick<SessionCache, 'renew'>
  readonly uptime: Pick<Uptime, 'serve'> | undefined
}

export function swapRoutingSnapshot(
  current: CurrentSnapshot,
  next: RoutingSnapshot,
  { report, retired }: Pick<NextSnapshot, 'report' | 'retired'>,
  { ports, sessionCache, uptime }: SnapshotFollowers,
): void {
  const before = current.snapshot
  const definitions = next.apis.map(({ definition }) => definition)
  current.snapshot = next
  current.hasHadApis ||= next.apis.length > 0
  ports?.serve(portsOf(definitions))
  const mayChangeRights =
    before?.policiesHash !== next.policiesHash || report.changed.length > 0 || report.removed.length > 0
  if (mayChangeRights) sessionCache.renew()
  for (const api of retired) api.release()
  uptime?.serve(definitions)
}

/** Releases the compiled APIs of a snapshot that is not going to serve. */
export function releaseUnused({ snapshot }: CurrentSnapshot, next: RoutingSnapshot | undefined): void {
  const used = new Set(snapshot?.apis)
  for (const api of next?.apis ?? []) if (!used.has(api)) api.release()
}
